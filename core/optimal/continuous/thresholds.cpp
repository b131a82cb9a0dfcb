#include "optimal/continuous/thresholds.hpp"

#include <algorithm>

#include "optimal/continuous/scan.hpp"

namespace ramify::optimal {

template <class T>
Thresholds<T>::Thresholds(const Data& data, const Subset<T>& subset, int depth, std::int64_t leaves,
                          double limit, const Hint& hint)
    : data_(data), subset_(subset), depth_(depth), limit_(limit) {
    given_.assign(data.codes.size(), 0.0);
    if (hint.by_column) given_ = *hint.by_column;
    curves_.resize(subset.slots());
    const std::int64_t half = std::int64_t{1} << std::min(depth - 1, 40);
    for (std::size_t slot = 0; slot < subset.slots(); ++slot) {
        const double given = given_[static_cast<std::size_t>(subset.columns[slot])];
        if (given >= limit_) continue;
        Curve& curve = curves_[slot];
        curve.trace(data, subset, slot, true);
        if (curve.first >= curve.end) continue;
        for (std::int64_t left = 1; left < leaves && left <= half; ++left) {
            if (leaves - left > half && left < half) continue;
            features_.push_back({slot, slot, {left, std::min(half, leaves - left)}, {}, kInfinity});
            push({given, features_.size() - 1, nullptr, nullptr, curve.first, curve.end - 1});
        }
    }
}

template <class T>
Between Thresholds<T>::between(const Feature& feature, const Interval& interval) const {
    return {data_,
            curves_[feature.curve],
            interval.a,
            interval.b,
            std::max(feature.leaves[0], feature.leaves[1]),
            data_.sparsity,
            data_.sparsity};
}

template <class T>
void Thresholds<T>::push(Interval interval) {
    if (interval.low > interval.high) return;
    Feature& feature = features_[interval.feature];
    const Between bounds = between(feature, interval);
    feature.lower = std::min(feature.lower, bounds.trim(interval.low, interval.high, limit_));
    if (interval.low > interval.high) return;
    interval.lower = std::max(interval.lower, bounds.lower(interval.low, interval.high));
    if (interval.lower >= limit_) {
        feature.lower = std::min(feature.lower, interval.lower);
        return;
    }
    open_.push_back(interval);
    std::push_heap(open_.begin(), open_.end());
}

template <class T>
double Thresholds<T>::lower() const {
    double lower = value_;
    for (const Feature& feature : features_) lower = std::min(lower, feature.lower);
    if (!open_.empty()) lower = std::min(lower, open_.front().lower);
    return lower;
}

template <class T>
bool Thresholds<T>::step(Search<T>& search) {
    while (!open_.empty()) {
        std::pop_heap(open_.begin(), open_.end());
        Interval interval = open_.back();
        open_.pop_back();
        Feature& feature = features_[interval.feature];
        const Between bounds = between(feature, interval);
        feature.lower = std::min(feature.lower, bounds.trim(interval.low, interval.high, limit_));
        if (interval.low > interval.high) continue;
        if (interval.lower >= limit_) {
            feature.lower = std::min(feature.lower, interval.lower);
            continue;
        }
        const auto& rows = curves_[feature.curve].rows;
        const auto low = rows.begin() + interval.low, high = rows.begin() + interval.high;
        const auto middle = std::lower_bound(low, high, (*low + *high) / 2);
        Point& point = feature.points.emplace_back();
        point.threshold = static_cast<std::int32_t>(middle - rows.begin());
        examine(search, feature, interval, point);
        Interval before = interval, after = interval;
        before.high = point.threshold - 1;
        before.b = &point;
        after.low = point.threshold + 1;
        after.a = &point;
        push(before);
        push(after);
        return true;
    }
    return false;
}

// The bound by column of a branch, for a branch with more rows. Among the fewer rows the first
// split may have been none, so that the tree was one level lower; doubled under a split by the
// column it costs no more than its leaves again.
template <class T>
double Thresholds<T>::grown(const Outcome& branch, std::int64_t leaves, std::size_t column) const {
    const int depth = depth_ - 1;
    const std::int64_t half = std::int64_t{1} << std::min(depth - 1, 40);
    if (branch.by_column.empty() || branch.by_column[column] == kInfinity || data_.min_leaf > 1 ||
        leaves < 2 * half) {
        return branch.lower;
    }
    return std::max(branch.lower,
                    branch.by_column[column] - data_.sparsity * static_cast<double>(half));
}

template <class T>
void Thresholds<T>::examine(Search<T>& search, Feature& feature, const Interval& interval,
                            Point& point) {
    const Between bounds = between(feature, interval);
    const std::int32_t t = point.threshold;
    const auto at = static_cast<std::size_t>(t);
    const Curve& curve = curves_[feature.curve];
    double lower[2] = {bounds.left(t), bounds.right(t)};
    // Bounds by column travel from the neighbours to the branches.
    std::vector<double> by_column(data_.codes.size());
    const auto hint = [&](int side) {
        Hint given;
        const Point* a = interval.a;
        const Point* b = interval.b;
        const Point* fewer = side == 0 ? a : b;
        const Point* more = side == 0 ? b : a;
        for (std::size_t c = 0; c < by_column.size(); ++c) {
            const double from_fewer =
                fewer ? grown(fewer->branch[side], feature.leaves[side], c) : 0;
            double from_more = 0.0;
            if (more && !more->branch[side].by_column.empty()) {
                from_more = more->branch[side].by_column[c];
            }
            by_column[c] = side == 0 ? bounds.carry_left(from_fewer, from_more, t)
                                     : bounds.carry_right(from_more, from_fewer, t);
        }
        given.by_column = &by_column;
        for (const Point* p : {a, b}) {
            if (p && !p->branch[side].tree.empty()) given.tree = &p->branch[side].tree;
        }
        return given;
    };
    const Key left_key = curve.keys[at];
    const Key keys[2] = {left_key, {subset_.key[0] ^ left_key[0], subset_.key[1] ^ left_key[1]}};
    const bool right_first = curve.rows[at] * 2 < static_cast<std::int64_t>(subset_.size);
    bool open = true;
    for (int i = 0; i < 2 && open; ++i) {
        const int side = right_first ? 1 - i : i;
        const Hint given = hint(side);
        Outcome& branch = point.branch[side];
        branch =
            search.solve({subset_, feature.slot, t, side == 0, keys[side]}, depth_ - 1,
                         feature.leaves[side], limit_ + data_.tolerance - lower[1 - side], given);
        lower[side] = std::max(lower[side], branch.lower);
        open = lower[0] + lower[1] < limit_;
    }
    point.left = lower[0];
    point.right = lower[1];
    const double value = lower[0] + lower[1];
    feature.lower = std::min(feature.lower, value);
    if (!open) return;
    value_ = value;
    limit_ = value - data_.tolerance;
    const auto column = static_cast<std::size_t>(subset_.columns[feature.slot]);
    tree_ =
        join(data_.column[column],
             code_of(data_, subset_, feature.slot, static_cast<std::size_t>(curve.rows[at] - 1)),
             point.branch[0].tree, point.branch[1].tree);
}

template <class T>
void Thresholds<T>::finish(Outcome& outcome) const {
    outcome.by_column.assign(data_.codes.size(), kInfinity);
    for (std::size_t slot = 0; slot < subset_.slots(); ++slot) {
        const auto column = static_cast<std::size_t>(subset_.columns[slot]);
        if (curves_[slot].rows.empty()) outcome.by_column[column] = given_[column];
    }
    for (const Feature& feature : features_) {
        const auto column = static_cast<std::size_t>(subset_.columns[feature.slot]);
        outcome.by_column[column] = std::min(outcome.by_column[column], feature.lower);
    }
    outcome.lower = kInfinity;
    for (const double lower : outcome.by_column) outcome.lower = std::min(outcome.lower, lower);
    outcome.exact = found();
    if (!found()) return;
    outcome.tree = tree_;
    outcome.lower = value_;
}

template class Thresholds<std::int16_t>;
template class Thresholds<std::int32_t>;

}  // namespace ramify::optimal
