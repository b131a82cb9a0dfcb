#include "discretize/numbers.hpp"

#include <limits>
#include <stdexcept>

#include "splits/numeric.hpp"

namespace ramify {

void check(const NumberedTable& data) {
    if (data.target.size() != data.table.rows())
        throw std::invalid_argument("wrong number of targets");
    if (!std::all_of(data.target.begin(), data.target.end(),
                     [](double y) { return std::isfinite(y); }))
        throw std::invalid_argument("a target is not finite");
    check_weights(data.table.rows(), data.weights);
}

Numbers::Numbers(const NumberedTable& data, const Masses& masses)
    : exponent_(masses.exponent()),
      share_(std::ldexp(1.0, -exponent_)),
      unit_(masses.unit()),
      rows_(data.target.size()) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t row = 0; row < data.target.size(); ++row) {
        if (masses[row] == 0) continue;
        low = std::min(low, data.target[row]);
        high = std::max(high, data.target[row]);
    }
    // No target is 2^reach or further from the centre. Halves are used, because the whole range may
    // be infinite.
    const auto reach = [&](double centre) {
        int exponent = 0;
        std::frexp(std::max(high / 2 - centre / 2, centre / 2 - low / 2), &exponent);
        return exponent + 1;
    };
    if (!(low < high)) {  // no column has a cut
        about(data, masses, low <= high ? low : 0.0, 0);
        return;
    }
    // Summed twice: first about the middle of the range, to find the mean, then about the mean.
    const double middle = low / 2 + high / 2;
    const NumberEntry first = about(data, masses, middle, reach(middle));
    const double mean = middle + std::ldexp(sum(first) / weight(first), reach(middle));
    const double centre = std::clamp(mean, low, high);
    const NumberEntry all = about(data, masses, centre, reach(centre));
    int exponent = 0;
    std::frexp(squared_error(all), &exponent);
    spread_ = std::ldexp(1.0, exponent);
    const double weights = std::ldexp(unit_, exponent_) / masses.total();
    variance_ = std::ldexp(weights, exponent + 2 * reach(centre));
}

// Fills the rows, and gives their sum.
NumberEntry Numbers::about(const NumberedTable& data, const Masses& masses, double centre,
                           int reach) {
    NumberEntry sums;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const std::int64_t mass = masses[row];
        if (mass == 0) continue;
        const double share = std::ldexp(static_cast<double>(mass), sum_bits - exponent_);
        const double y = std::ldexp(data.target[row] / 2 - centre / 2, 1 - reach);
        rows_[row] = {mass, std::llround(share * y), std::llround(share * (y * y))};
        sums += rows_[row];
    }
    return sums;
}

double Numbers::squared_error(const NumberEntry& entry) const {
    const double weight = this->weight(entry), sum = Numbers::sum(entry);
    if (!(weight > 0.0)) return 0.0;
    return std::max(0.0, 0x1p-60 * static_cast<double>(entry.square) - sum / weight * sum);
}

NumberBlocks find_blocks(const NumberedTable& data, std::size_t index, const Numbers& numbers) {
    const Column& column = data.table[index];
    NumberBlocks blocks;
    blocks.start.push_back(0);
    double last_value = 0.0, last_target = 0.0;
    bool last_alike = false;  // whether all rows of the block have one target
    each_value(column, [&](double value, std::size_t begin, std::size_t end) {
        NumberEntry sums;
        double target = 0.0;
        bool alike = true;
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t row = column.order[i] & row_mask;
            const NumberEntry& entry = numbers[row];
            if (entry.mass == 0) continue;  // a row that weighs nothing is left out
            if (sums.mass == 0) target = data.target[row];
            alike = alike && data.target[row] == target;
            sums += entry;
        }
        if (sums.mass == 0) return;
        auto& entries = blocks.entries;
        if (!entries.empty() && alike && last_alike && target == last_target) {
            entries.back() += sums;
        } else {
            if (!entries.empty()) {
                blocks.start.push_back(static_cast<std::uint32_t>(entries.size()));
                blocks.thresholds.push_back(threshold_between(last_value, value));
            }
            entries.push_back(sums);
            last_target = target;
            last_alike = alike;
        }
        last_value = value;
    });
    blocks.start.push_back(static_cast<std::uint32_t>(blocks.entries.size()));
    return blocks;
}

}  // namespace ramify
