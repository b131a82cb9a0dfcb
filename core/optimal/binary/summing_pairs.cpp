#include "optimal/binary/summing_pairs.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace ramify::optimal {

void SummingPairs::load(const Word* cover) {
    const std::size_t channels = table_.loss.width();
    std::vector<std::size_t> places;
    for (std::size_t w = 0; w < table_.words(); ++w) {
        for (Word rest = cover[w]; rest; rest &= rest - 1) {
            places.push_back(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        }
    }
    rows = static_cast<std::int64_t>(places.size());
    features.clear();
    for (std::size_t f = 0; f < table_.features(); ++f) {
        std::int64_t with = 0;
        for (std::size_t w = 0; w < table_.words(); ++w) {
            with += std::popcount(cover[w] & table_.feature(f)[w]);
        }
        if (std::min(with, rows - with) >= limits_.min_samples_leaf) {
            features.push_back(static_cast<std::int32_t>(f));
        }
    }
    has_.resize(places.size() * features.size());
    values_.assign(places.size() * channels, 0.0);
    every_row_.resize(places.size());
    std::iota(every_row_.begin(), every_row_.end(), 0);
    for (std::size_t r = 0; r < places.size(); ++r) {
        table_.loss.add(static_cast<std::size_t>(table_.row_at[places[r]]),
                        values_.data() + r * channels);
        for (std::size_t f = 0; f < features.size(); ++f) {
            const Word* bits = table_.feature(static_cast<std::size_t>(features[f]));
            has_[r * features.size() + f] =
                static_cast<double>(bits[places[r] / 64] >> places[r] % 64 & 1);
        }
    }
    sum(every_row_, node_);
    split_losses(node_, losses);
    leaf = table_.loss(node_.all.data());
    stake = stake_of(node_.all.data());
    stake_with.resize(features.size());
    rows_with.resize(features.size());
    std::vector<double> one(channels);
    for (std::size_t f = 0; f < features.size(); ++f) {
        for (std::size_t k = 0; k < channels; ++k) one[k] = node_.single[k * features.size() + f];
        stake_with[f] = stake_of(one.data());
        rows_with[f] = static_cast<std::int64_t>(node_.rows[f]);
    }
}

double SummingPairs::stake_of(const double* sums) const {
    if (table_.loss.regression()) return sums[0] * table_.stake_of_row;
    const std::size_t k = table_.loss.width();
    double stake = 0.0;
    for (std::size_t c = 0; c < k; ++c) {
        const double* costs = table_.loss.costs().data() + c * k;
        stake += sums[c] * *std::max_element(costs, costs + k);
    }
    return stake;
}

void SummingPairs::sum(const std::vector<std::int32_t>& rows, Sums& to) const {
    const std::size_t channels = table_.loss.width(), p = features.size();
    to.all.assign(channels, 0.0);
    to.single.assign(channels * p, 0.0);
    to.rows.assign(p, 0.0);
    to.count = static_cast<double>(rows.size());
    for (const std::int32_t row : rows) {
        const double* has = has_.data() + static_cast<std::size_t>(row) * p;
        const double* values = values_.data() + static_cast<std::size_t>(row) * channels;
        for (std::size_t f = 0; f < p; ++f) to.rows[f] += has[f];
        for (std::size_t k = 0; k < channels; ++k) {
            to.all[k] += values[k];
            double* single = to.single.data() + k * p;
            for (std::size_t f = 0; f < p; ++f) single[f] += values[k] * has[f];
        }
    }
}

double SummingPairs::loss_of(const double* sums, double count) const {
    return count < static_cast<double>(limits_.min_samples_leaf) ? infinite : table_.loss(sums);
}

void SummingPairs::split_losses(const Sums& sums, SplitLosses& losses) const {
    const std::size_t channels = table_.loss.width(), p = features.size();
    losses.resize(p);
    std::vector<double> with(channels), without(channels);
    for (std::size_t f = 0; f < p; ++f) {
        for (std::size_t k = 0; k < channels; ++k) {
            with[k] = sums.single[k * p + f];
            without[k] = sums.all[k] - with[k];
        }
        losses.with[f] = loss_of(with.data(), sums.rows[f]);
        losses.without[f] = loss_of(without.data(), sums.count - sums.rows[f]);
    }
}

void SummingPairs::pair_sums(const std::vector<std::int32_t>& rows, std::size_t at) {
    const std::size_t channels = table_.loss.width(), p = features.size();
    both_.assign((channels + 1) * p, 0.0);
    for (const std::int32_t row : rows) {
        const double* has = has_.data() + static_cast<std::size_t>(row) * p;
        if (has[at] == 0.0) continue;
        const double* values = values_.data() + static_cast<std::size_t>(row) * channels;
        for (std::size_t k = 0; k < channels; ++k) {
            if (values[k] == 0.0) continue;
            double* to = both_.data() + k * p;
            for (std::size_t f = 0; f < p; ++f) to[f] += values[k] * has[f];
        }
        double* counts = both_.data() + channels * p;
        for (std::size_t f = 0; f < p; ++f) counts[f] += has[f];
    }
}

void SummingPairs::evaluate(const std::vector<std::int32_t>& rows, const Sums& sums,
                            SplitLosses& losses) {
    const std::size_t channels = table_.loss.width(), p = features.size();
    std::fill(losses.best_with.begin(), losses.best_with.end(), infinite);
    std::fill(losses.best_without.begin(), losses.best_without.end(), infinite);
    std::vector<double> leaves[4];
    for (auto& leaf : leaves) leaf.resize(channels);
    for (std::size_t i = 0; i < p; ++i) {
        pair_sums(rows, i);
        for (std::size_t j = i; j < p; ++j) {
            for (std::size_t k = 0; k < channels; ++k) {
                const double both = both_[k * p + j], first = sums.single[k * p + i],
                             second = sums.single[k * p + j];
                leaves[0][k] = both;
                leaves[1][k] = first - both;
                leaves[2][k] = second - both;
                leaves[3][k] = sums.all[k] - first - second + both;
            }
            const double count = both_[channels * p + j];
            const double both = loss_of(leaves[0].data(), count);
            const double first = loss_of(leaves[1].data(), sums.rows[i] - count);
            const double second = loss_of(leaves[2].data(), sums.rows[j] - count);
            const double neither =
                loss_of(leaves[3].data(), sums.count - sums.rows[i] - sums.rows[j] + count);
            const auto lower = [](double& to, double value) { to = std::min(to, value); };
            lower(losses.best_with[i], both + first);
            lower(losses.best_without[i], second + neither);
            lower(losses.best_with[j], both + second);
            lower(losses.best_without[j], first + neither);
        }
    }
}

void SummingPairs::look_ahead() {
    evaluate(every_row_, node_, losses);
}

TwoLevels SummingPairs::solve(const std::vector<std::int32_t>& rows) {
    sum(rows, child_);
    split_losses(child_, scratch_);
    evaluate(rows, child_, scratch_);
    return scratch_.two_levels(table_.loss(child_.all.data()), limits_.sparsity);
}

void SummingPairs::children(std::size_t at, TwoLevels* with, TwoLevels* without) {
    for (const bool side : {true, false}) {
        TwoLevels* to = side ? with : without;
        if (!to) continue;
        branch_.clear();
        for (const std::int32_t row : every_row_) {
            const bool has = has_[static_cast<std::size_t>(row) * features.size() + at] != 0.0;
            if (has == side) branch_.push_back(row);
        }
        *to = solve(branch_);
    }
}

void SummingPairs::overlap(std::size_t at, std::vector<double>& stake,
                           std::vector<std::int64_t>& rows) {
    const std::size_t channels = table_.loss.width(), p = features.size();
    pair_sums(every_row_, at);
    stake.resize(p);
    rows.resize(p);
    std::vector<double> one(channels);
    for (std::size_t f = 0; f < p; ++f) {
        for (std::size_t k = 0; k < channels; ++k) one[k] = both_[k * p + f];
        stake[f] = stake_of(one.data());
        rows[f] = static_cast<std::int64_t>(both_[channels * p + f]);
    }
}

}  // namespace ramify::optimal
