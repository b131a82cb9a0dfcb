#include "optimal/binary/summing_pairs.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "optimal/binary/cover_rows.hpp"

namespace ramify::optimal::binary {

void SummingPairs::load(const Word* cover) {
    const std::vector<std::size_t> places = places_of(table_, cover);
    rows = static_cast<std::int64_t>(places.size());
    features = dividing_features(table_, cover, rows, limits_.min_samples_leaf);
    row_words_ = (features.size() + 63) / 64;
    bits_.assign(places.size() * row_words_, 0);
    values_.assign(places.size() * width_, 0.0);
    every_row_.resize(places.size());
    std::iota(every_row_.begin(), every_row_.end(), 0);
    for (std::size_t r = 0; r < places.size(); ++r) {
        double* values = values_.data() + r * width_;
        table_.loss.add(static_cast<std::size_t>(table_.row_at[places[r]]), values);
        values[width_ - 1] = 1.0;
    }
    for (std::size_t f = 0; f < features.size(); ++f) {
        const Word* bits = table_.feature(static_cast<std::size_t>(features[f]));
        for (std::size_t r = 0; r < places.size(); ++r) {
            bits_[r * row_words_ + f / 64] |= (bits[places[r] / 64] >> places[r] % 64 & 1)
                                              << f % 64;
        }
    }
    sum(every_row_, node_);
    split_losses(node_, losses);
    leaf = table_.loss(node_.all.data());
    stake = stake_of(node_.all.data());
    stake_with.resize(features.size());
    rows_with.resize(features.size());
    for (std::size_t f = 0; f < features.size(); ++f) {
        const double* single = node_.single.data() + f * width_;
        stake_with[f] = stake_of(single);
        rows_with[f] = static_cast<std::int64_t>(single[width_ - 1]);
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

double SummingPairs::loss_of(const double* sums) const {
    return sums[width_ - 1] < static_cast<double>(limits_.min_samples_leaf) ? infinite
                                                                            : table_.loss(sums);
}

void SummingPairs::add_row(std::int32_t row, double* by_feature) const {
    const Word* words = words_of(row);
    const double* values = values_.data() + static_cast<std::size_t>(row) * width_;
    for (std::size_t w = 0; w < row_words_; ++w) {
        for (Word rest = words[w]; rest; rest &= rest - 1) {
            const std::size_t f = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
            double* to = by_feature + f * width_;
            for (std::size_t k = 0; k < width_; ++k) to[k] += values[k];
        }
    }
}

void SummingPairs::sum(const Rows& rows, Sums& to) const {
    to.all.assign(width_, 0.0);
    to.single.assign(width_ * features.size(), 0.0);
    for (const std::int32_t row : rows) {
        const double* values = values_.data() + static_cast<std::size_t>(row) * width_;
        for (std::size_t k = 0; k < width_; ++k) to.all[k] += values[k];
        add_row(row, to.single.data());
    }
}

void SummingPairs::split_losses(const Sums& sums, SplitLosses& losses) const {
    losses.resize(features.size());
    std::vector<double> without(width_);
    for (std::size_t f = 0; f < features.size(); ++f) {
        const double* with = sums.single.data() + f * width_;
        for (std::size_t k = 0; k < width_; ++k) without[k] = sums.all[k] - with[k];
        losses.with[f] = loss_of(with);
        losses.without[f] = loss_of(without.data());
    }
}

void SummingPairs::pair_sums(const Rows& rows, std::size_t at) {
    both_.assign(width_ * features.size(), 0.0);
    for (const std::int32_t row : rows) {
        if (has(row, at)) add_row(row, both_.data());
    }
}

void SummingPairs::evaluate(const Rows& rows, const Sums& sums, SplitLosses& losses) {
    const std::size_t p = features.size();
    std::fill(losses.best_with.begin(), losses.best_with.end(), infinite);
    std::fill(losses.best_without.begin(), losses.best_without.end(), infinite);
    std::vector<double> only_first(width_), only_second(width_), neither(width_);
    const auto lower = [](double& to, double value) { to = std::min(to, value); };
    for (std::size_t i = 0; i < p; ++i) {
        monitor_.poll();
        pair_sums(rows, i);
        const double* first = sums.single.data() + i * width_;
        for (std::size_t j = i; j < p; ++j) {
            const double* second = sums.single.data() + j * width_;
            const double* both = both_.data() + j * width_;
            for (std::size_t k = 0; k < width_; ++k) {
                only_first[k] = first[k] - both[k];
                only_second[k] = second[k] - both[k];
                neither[k] = sums.all[k] - first[k] - only_second[k];
            }
            const double a = loss_of(both), b = loss_of(only_first.data()),
                         c = loss_of(only_second.data()), d = loss_of(neither.data());
            lower(losses.best_with[i], a + b);
            lower(losses.best_without[i], c + d);
            lower(losses.best_with[j], a + c);
            lower(losses.best_without[j], b + d);
        }
    }
}

void SummingPairs::look_ahead() {
    evaluate(every_row_, node_, losses);
}

TwoLevels SummingPairs::solve(const Rows& rows) {
    sum(rows, child_);
    split_losses(child_, scratch_);
    evaluate(rows, child_, scratch_);
    return scratch_.two_levels(table_.loss(child_.all.data()), limits_.sparsity,
                               [&](std::size_t f) { return features[f]; });
}

void SummingPairs::children(std::size_t at, TwoLevels* with, TwoLevels* without) {
    for (const bool side : {true, false}) {
        TwoLevels* to = side ? with : without;
        if (!to) continue;
        branch_.clear();
        for (const std::int32_t row : every_row_) {
            if (has(row, at) == side) branch_.push_back(row);
        }
        *to = solve(branch_);
    }
}

void SummingPairs::overlap(std::size_t at, std::vector<double>& stake,
                           std::vector<std::int64_t>& rows) {
    pair_sums(every_row_, at);
    stake.resize(features.size());
    rows.resize(features.size());
    for (std::size_t f = 0; f < features.size(); ++f) {
        const double* both = both_.data() + f * width_;
        stake[f] = stake_of(both);
        rows[f] = static_cast<std::int64_t>(both[width_ - 1]);
    }
}

}  // namespace ramify::optimal::binary
