#include "optimal/binary/rank_pairs.hpp"

#include <algorithm>
#include <numeric>

#include "optimal/binary/cover_rows.hpp"

namespace ramify::optimal::binary {

void RankPairs::load(const Word* cover) {
    std::vector<std::size_t> places = places_of(table_, cover);
    const auto row_of = [&](std::size_t place) {
        return static_cast<std::size_t>(table_.row_at[place]);
    };
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        return numbers_.ranks()[row_of(a)] < numbers_.ranks()[row_of(b)];
    });
    rows = static_cast<std::int64_t>(places.size());
    features = dividing_features(table_, cover, rows, limits_.min_samples_leaf);
    const std::size_t p = features.size();
    rows_.clear();
    has_.assign(places.size() * p, 0.0);
    every_row_.resize(places.size());
    std::iota(every_row_.begin(), every_row_.end(), 0);
    stake = 0.0;
    stake_with.assign(p, 0.0);
    rows_with.assign(p, 0);
    for (std::size_t r = 0; r < places.size(); ++r) {
        const std::size_t row = row_of(places[r]);
        rows_.push_back({numbers_.ranks()[row], numbers_.weight(row), numbers_.stake(row)});
        stake += rows_[r].stake;
        for (std::size_t f = 0; f < p; ++f) {
            const Word* bits = table_.feature(static_cast<std::size_t>(features[f]));
            if (!(bits[places[r] / 64] >> places[r] % 64 & 1)) continue;
            has_[r * p + f] = 1.0;
            stake_with[f] += rows_[r].stake;
            ++rows_with[f];
        }
    }
    leaf = leaf_of(every_row_);
    evaluate(every_row_, losses, false);
}

double RankPairs::leaf_of(const Rows& rows) const {
    const RankLoss& rule = numbers_.rule();
    double total = 0.0, below = 0.0, loss = 0.0;
    for (const std::int32_t r : rows) total += rows_[static_cast<std::size_t>(r)].weight;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        const Row& row = rows_[static_cast<std::size_t>(rows[i])];
        const Row& next = rows_[static_cast<std::size_t>(rows[i + 1])];
        below += row.weight;
        if (row.rank == next.rank) continue;
        const double gap = numbers_.sorted()[static_cast<std::size_t>(next.rank)] -
                           numbers_.sorted()[static_cast<std::size_t>(row.rank)];
        loss += gap * std::min(rule.below * below, rule.above * (total - below));
    }
    return std::max(0.0, loss);
}

// Weights and numbers of the rows that have each feature.
void RankPairs::weigh(const Rows& rows) {
    const std::size_t p = features.size();
    weight_.assign(p, 0.0);
    count_.assign(p, 0.0);
    for (const std::int32_t r : rows) {
        const double w = rows_[static_cast<std::size_t>(r)].weight;
        const double* has = has_.data() + static_cast<std::size_t>(r) * p;
        for (std::size_t f = 0; f < p; ++f) {
            weight_[f] += w * has[f];
            count_[f] += has[f];
        }
    }
}

// Fills the losses of the rows after each split (the pair of a feature with itself) and, if pairs
// are wanted, after one more split.
void RankPairs::evaluate(const Rows& rows, SplitLosses& to, bool pairs) {
    const std::size_t p = features.size();
    const RankLoss& rule = numbers_.rule();
    weigh(rows);
    to.resize(p);
    std::fill(to.best_with.begin(), to.best_with.end(), infinite);
    std::fill(to.best_without.begin(), to.best_without.end(), infinite);
    double total = 0.0;
    for (const std::int32_t r : rows) total += rows_[static_cast<std::size_t>(r)].weight;
    const auto all = static_cast<double>(rows.size());
    const auto least = static_cast<double>(limits_.min_samples_leaf);
    for (std::size_t i = 0; i < p; ++i) {
        monitor_.poll();
        const std::size_t end = pairs ? p : i + 1;
        both_weight_.assign(p, 0.0);
        both_count_.assign(p, 0.0);
        read_.assign(p, 0.0);
        both_read_.assign(p, 0.0);
        for (auto& price : price_) price.assign(p, 0.0);
        for (const std::int32_t r : rows) {
            if (!has(r, i)) continue;
            const double w = rows_[static_cast<std::size_t>(r)].weight;
            const double* has = has_.data() + static_cast<std::size_t>(r) * p;
            for (std::size_t j = i; j < end; ++j) {
                both_weight_[j] += w * has[j];
                both_count_[j] += has[j];
            }
        }
        const double first = weight_[i];
        double below = 0.0, first_below = 0.0;
        for (std::size_t at = 0; at + 1 < rows.size(); ++at) {
            const Row& row = rows_[static_cast<std::size_t>(rows[at])];
            const double* has = has_.data() + static_cast<std::size_t>(rows[at]) * p;
            const double w = row.weight, w_first = w * has[i];
            below += w;
            first_below += w_first;
            for (std::size_t j = i; j < end; ++j) {
                read_[j] += w * has[j];
                both_read_[j] += w_first * has[j];
            }
            const Row& next = rows_[static_cast<std::size_t>(rows[at + 1])];
            if (row.rank == next.rank) continue;
            const double gap = numbers_.sorted()[static_cast<std::size_t>(next.rank)] -
                               numbers_.sorted()[static_cast<std::size_t>(row.rank)];
            const auto price = [&](double under, double over) {
                return gap * std::min(rule.below * under, rule.above * over);
            };
            for (std::size_t j = i; j < end; ++j) {
                const double a = both_read_[j], b = first_below - a, c = read_[j] - a,
                             d = below - first_below - c;
                const double of_a = both_weight_[j], of_b = first - of_a, of_c = weight_[j] - of_a,
                             of_d = total - first - of_c;
                price_[0][j] += price(a, of_a - a);
                price_[1][j] += price(b, of_b - b);
                price_[2][j] += price(c, of_c - c);
                price_[3][j] += price(d, of_d - d);
            }
        }
        const auto loss = [&](std::size_t part, std::size_t j, double count) {
            return count < least ? infinite : std::max(0.0, price_[part][j]);
        };
        to.with[i] = loss(0, i, count_[i]);
        to.without[i] = loss(3, i, all - count_[i]);
        for (std::size_t j = i; j < end; ++j) {
            const double n = both_count_[j], n_first = count_[i] - n, n_second = count_[j] - n;
            const double a = loss(0, j, n), b = loss(1, j, n_first), c = loss(2, j, n_second),
                         d = loss(3, j, all - count_[i] - n_second);
            to.best_with[i] = std::min(to.best_with[i], a + b);
            to.best_without[i] = std::min(to.best_without[i], c + d);
            to.best_with[j] = std::min(to.best_with[j], a + c);
            to.best_without[j] = std::min(to.best_without[j], b + d);
        }
    }
}

void RankPairs::look_ahead() {
    evaluate(every_row_, losses, true);
}

void RankPairs::children(std::size_t at, TwoLevels* with, TwoLevels* without) {
    for (const bool side : {true, false}) {
        TwoLevels* to = side ? with : without;
        if (!to) continue;
        branch_.clear();
        for (const std::int32_t row : every_row_) {
            if (has(row, at) == side) branch_.push_back(row);
        }
        evaluate(branch_, scratch_, true);
        *to = scratch_.two_levels(leaf_of(branch_), limits_.sparsity,
                                  [&](std::size_t f) { return features[f]; });
    }
}

void RankPairs::overlap(std::size_t at, std::vector<double>& to_stake,
                        std::vector<std::int64_t>& to_rows) {
    const std::size_t p = features.size();
    to_stake.assign(p, 0.0);
    to_rows.assign(p, 0);
    for (const std::int32_t row : every_row_) {
        if (!has(row, at)) continue;
        for (std::size_t f = 0; f < p; ++f) {
            if (!has(row, f)) continue;
            to_stake[f] += rows_[static_cast<std::size_t>(row)].stake;
            ++to_rows[f];
        }
    }
}

}  // namespace ramify::optimal::binary
