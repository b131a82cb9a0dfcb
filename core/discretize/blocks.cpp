#include "discretize/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "splits/numeric.hpp"

namespace ramify {
namespace {

constexpr int mass_bits = 52;  // of all rows together, so that a mass is exact as a double too

// Collects the rows of one value after the other, and closes a block where the classes change.
class Collector {
  public:
    explicit Collector(std::size_t classes) : place_(classes, none) { blocks_.start.push_back(0); }

    void add(std::uint32_t label, std::int64_t mass) {
        std::size_t& at = place_[label];
        if (at == none) {
            at = blocks_.entries.size();
            blocks_.entries.push_back({label, mass});
        } else {
            blocks_.entries[at].mass += mass;
        }
    }

    // Called when all rows of `value` are in.
    void close_value(double value) {
        auto& entries = blocks_.entries;
        for (std::size_t i = value_begin_; i < entries.size(); ++i) place_[entries[i].label] = none;
        if (value_begin_ == entries.size()) return;  // all of its rows weigh nothing
        const std::size_t block_begin = blocks_.start.back();
        if (value_begin_ > block_begin) {
            const bool one_class = value_begin_ == block_begin + 1 &&
                                   entries.size() == value_begin_ + 1 &&
                                   entries[block_begin].label == entries[value_begin_].label;
            if (one_class) {
                entries[block_begin].mass += entries[value_begin_].mass;
                entries.pop_back();
            } else {
                blocks_.start.push_back(static_cast<std::uint32_t>(value_begin_));
                blocks_.thresholds.push_back(threshold_between(last_value_, value));
            }
        }
        value_begin_ = entries.size();
        last_value_ = value;
    }

    Blocks finish() {
        blocks_.start.push_back(static_cast<std::uint32_t>(blocks_.entries.size()));
        return std::move(blocks_);
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    Blocks blocks_;
    std::vector<std::size_t> place_;  // of a class among the entries of the value at hand
    std::size_t value_begin_ = 0;
    double last_value_ = 0.0;
};

}  // namespace

Masses::Masses(std::size_t rows, std::span<const double> weights) {
    if (weights.empty()) {
        total_mass_ = static_cast<std::int64_t>(rows);
        total_ = static_cast<double>(rows);
        std::frexp(total_, &exponent_);
        return;
    }
    for (const double weight : weights) total_ += weight;
    int exponent = 0;
    std::frexp(total_, &exponent);
    const int shift = mass_bits - exponent;
    unit_ = std::ldexp(1.0, -shift);
    masses_.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const double weight = weights[row];
        // A row that weighs almost nothing still counts.
        const auto mass = static_cast<std::int64_t>(std::llround(std::ldexp(weight, shift)));
        masses_[row] = weight > 0.0 ? std::max<std::int64_t>(1, mass) : 0;
        total_mass_ += masses_[row];
    }
    exponent_ = mass_bits;
    // Rounding up may have carried; one more bit is free for that.
    if (total_mass_ >= std::int64_t{1} << mass_bits) ++exponent_;
}

void check(const LabelledTable& data) {
    if (data.labels.size() != data.table.rows())
        throw std::invalid_argument("wrong number of labels");
    for (const std::int32_t label : data.labels) {
        if (label < 0 || static_cast<std::size_t>(label) >= data.classes)
            throw std::invalid_argument("a label is not one of the classes");
    }
    check_weights(data.table.rows(), data.weights);
}

void check_weights(std::size_t rows, std::span<const double> weights) {
    if (!weights.empty() && weights.size() != rows)
        throw std::invalid_argument("wrong number of weights");
    const auto wrong = [](double weight) { return !(weight >= 0.0 && std::isfinite(weight)); };
    if (std::any_of(weights.begin(), weights.end(), wrong))
        throw std::invalid_argument("weights must be finite and not negative");
}

Blocks find_blocks(const LabelledTable& data, std::size_t index, const Masses& masses) {
    const Column& column = data.table[index];
    Collector collector(data.classes);
    each_value(column, [&](double value, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t row = column.order[i] & row_mask;
            const std::int64_t mass = masses[row];
            if (mass > 0) collector.add(static_cast<std::uint32_t>(data.labels[row]), mass);
        }
        collector.close_value(value);
    });
    return collector.finish();
}

}  // namespace ramify
