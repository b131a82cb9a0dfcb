#include "splits/nominal/given_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "support/sums.hpp"

namespace ramify {

GivenTable::GivenTable(const double* counts, std::size_t levels, std::size_t classes)
    : given_weight_(levels), total_(classes, 0.0) {
    std::uint64_t bits = 0;  // set in some number
    for (std::size_t i = 0; i < levels; ++i) {
        const double* row = counts + i * classes;
        given_weight_[i] = add_row(total_.data(), row, classes);
        for (std::size_t j = 0; j < classes; ++j) bits |= std::bit_cast<std::uint64_t>(row[j]);
    }
    const bool signs = (bits >> 63) != 0;  // a zero may be negative
    const auto negative = [](double x) { return x < 0.0; };
    // A number that is not finite makes the sum not finite.
    if (!std::isfinite(sum_of(total_.data(), classes)) ||
        (signs && std::any_of(counts, counts + levels * classes, negative))) {
        throw std::invalid_argument("counts must be finite and not negative");
    }
    table_.levels = levels;
    table_.classes = classes;
    table_.counts = counts;
    table_.support = table_.weight = given_weight_.data();
    table_.total = total_.data();
    if (std::find(given_weight_.begin(), given_weight_.end(), 0.0) != given_weight_.end()) {
        leave_out_empty();
    }
}

void GivenTable::leave_out_empty() {
    for (std::size_t i = 0; i < table_.levels; ++i) {
        if (given_weight_[i] == 0.0) continue;
        const double* row = table_.counts + i * table_.classes;
        counts_.insert(counts_.end(), row, row + table_.classes);
        weight_.push_back(given_weight_[i]);
    }
    table_.levels = weight_.size();
    table_.counts = counts_.data();
    table_.support = table_.weight = weight_.data();
}

void GivenTable::expand(NominalSplit& split) const {
    double balance = 0.0;
    for (std::size_t i = 0; i < table_.levels; ++i) {
        balance += split.right[i] != 0 ? table_.weight[i] : -table_.weight[i];
    }
    std::vector<std::uint8_t> right(given_weight_.size(), balance > 0.0 ? 1 : 0);
    std::size_t at = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        if (given_weight_[i] != 0.0) right[i] = split.right[at++];
    }
    split.right = std::move(right);
}

double GivenTable::impurity(const NominalSplit& split, const Criterion& criterion) const {
    const std::size_t k = table_.classes;
    // The score is the drop of impurity, so the table need not be read again.
    if (criterion.drop_of_impurity() && criterion.min_support <= 0.0)
        return std::max(0.0, criterion.impurity(table_.total, k) - split.score);
    // The side of fewer levels is added up; the other is the rest.
    const auto rights = static_cast<std::size_t>(
        std::count(split.right.begin(), split.right.end(), std::uint8_t{1}));
    const std::uint8_t fewer = 2 * rights <= table_.levels ? 1 : 0;
    std::vector<double> side(k, 0.0);
    for (std::size_t i = 0; i < table_.levels; ++i) {
        if (split.right[i] == fewer) add_row(side.data(), table_.counts + i * k, k);
    }
    std::vector<double> rest(k);
    for (std::size_t j = 0; j < k; ++j) {
        rest[j] = total_[j] - side[j];
        // Rounding may leave a little of a class that is all on one side.
        if (rest[j] <= total_[j] * 1e-13) rest[j] = 0.0;
    }
    const double weight = sum_of(side.data(), k);
    const double other = sum_of(rest.data(), k);
    return (weight * criterion.impurity(side.data(), k) +
            other * criterion.impurity(rest.data(), k)) /
           (weight + other);
}

std::optional<GivenSplit> best_split(const double* counts, std::size_t levels, std::size_t classes,
                                     const GivenSearch& search, const Criterion& criterion,
                                     Interrupt& interrupt) {
    const auto method = make_nominal_search(search.method, search.options);
    const GivenTable given(counts, levels, classes);
    Contingency table = given.table();
    table.min_leaf = search.min_leaf;
    table.interrupt = &interrupt;
    if (table.levels < 2) return std::nullopt;
    require_fit(search.method, criterion, classes);
    auto split = method->split(table, criterion);
    if (!split) return std::nullopt;
    GivenSplit result{std::move(*split)};
    result.impurity = given.impurity(result, criterion);
    given.expand(result);
    return result;
}

}  // namespace ramify
