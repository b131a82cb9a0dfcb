#include "optimal/part.hpp"

#include <stdexcept>

namespace ramify::optimal {
namespace {

template <typename T>
void take(std::span<const T> from, std::span<const std::int32_t> rows, std::vector<T>& to) {
    if (from.empty()) return;
    to.reserve(rows.size());
    for (const std::int32_t row : rows) to.push_back(from[static_cast<std::size_t>(row)]);
}

}  // namespace

Part::Part(const OptimalProblem& whole, std::span<const std::int32_t> rows,
           std::span<const std::uint8_t> wanted) {
    std::int64_t before = -1;
    for (const std::int32_t row : rows) {
        if (row <= before || static_cast<std::size_t>(row) >= whole.rows)
            throw std::invalid_argument("rows must ascend, and be rows of the table");
        before = row;
    }
    if (!wanted.empty() && wanted.size() != whole.columns.size())
        throw std::invalid_argument("wanted: one entry a column");
    if (!whole.regrets.empty()) throw std::invalid_argument("a part of regrets is not made");
    take_target(whole, rows);
    take_columns(whole, rows, wanted);
}

void Part::take_target(const OptimalProblem& whole, std::span<const std::int32_t> rows) {
    take(whole.labels, rows, labels_);
    take(whole.target, rows, target_);
    take(whole.weights, rows, weights_);
    problem_.task = whole.task;
    problem_.rows = rows.size();
    problem_.labels = labels_;
    problem_.classes = whole.classes;
    problem_.costs = whole.costs;
    problem_.target = target_;
    problem_.objective = whole.objective;
    problem_.weights = weights_;
    problem_.start = whole.start;
}

void Part::take_columns(const OptimalProblem& whole, std::span<const std::int32_t> rows,
                        std::span<const std::uint8_t> wanted) {
    codes_.resize(whole.columns.size());
    bits_.resize(whole.columns.size());
    for (std::size_t c = 0; c < whole.columns.size(); ++c) {
        const SearchColumn& column = whole.columns[c];
        const bool out = !wanted.empty() && wanted[c] == 0;
        if (out || column.bits.empty()) {
            codes_[c].reserve(rows.size());
            for (const std::int32_t row : rows)
                codes_[c].push_back(out ? 0 : column[static_cast<std::size_t>(row)]);
            problem_.columns.push_back({codes_[c], {}, out ? 1 : column.values});
            continue;
        }
        bits_[c].assign((rows.size() + 63) / 64, 0);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            const auto bit = static_cast<std::uint64_t>(column[static_cast<std::size_t>(rows[at])]);
            bits_[c][at / 64] |= bit << at % 64;
        }
        problem_.columns.push_back({{}, bits_[c], column.values});
    }
}

}  // namespace ramify::optimal
