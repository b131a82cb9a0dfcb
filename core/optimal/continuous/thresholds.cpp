#include "optimal/continuous/thresholds.hpp"

#include <algorithm>

#include "optimal/continuous/scan.hpp"

namespace ramify::optimal::continuous {

template <class T>
Thresholds<T>::Thresholds(const Data& data, const Subset<T>& subset, int depth, std::int64_t leaves,
                          double limit, const Hint& hint, bool blunt)
    : data_(data), subset_(subset), depth_(depth), blunt_(blunt), limit_(limit) {
    given_.assign(data.codes.size(), 0.0);
    if (hint.by_column) given_ = *hint.by_column;
    curves_.resize(subset.slots());
    const std::int64_t half = full_leaves(depth - 1);
    for (std::size_t slot = 0; slot < subset.slots(); ++slot) {
        const double given = given_[static_cast<std::size_t>(subset.columns[slot])];
        if (given >= limit_) continue;
        Curve& curve = curves_[slot];
        curve.trace(data, subset, slot, half, true);
        if (curve.first >= curve.end) continue;
        const std::int64_t fewest = std::max<std::int64_t>(1, leaves - half);
        for (std::int64_t left = std::min(half, fewest); left < leaves && left <= half; ++left) {
            features_.push_back({slot, {left, std::min(half, leaves - left)}, {}, kInfinity});
            Interval all{given,       features_.size() - 1, nullptr, nullptr,
                         curve.first, curve.end - 1,        0.0};
            if (!keep(all)) continue;
            all.promise = promise(all);
            open_.push_back(all);
        }
    }
    std::make_heap(open_.begin(), open_.end());
}

template <class T>
Between Thresholds<T>::between(const Interval& interval) const {
    const Feature& feature = features_[interval.feature];
    return {data_,
            curves_[feature.slot],
            interval.a,
            interval.b,
            std::max(feature.leaves[0], feature.leaves[1]),
            data_.sparsity};
}

template <class T>
double Thresholds<T>::promise(const Interval& interval) const {
    const auto& impurity = curves_[features_[interval.feature].slot].impurity;
    return *std::min_element(impurity.begin() + interval.low, impurity.begin() + interval.high + 1);
}

// Whether some threshold of the interval can still be better.
template <class T>
bool Thresholds<T>::keep(Interval& interval) {
    if (interval.low > interval.high) return false;
    double& given_up = features_[interval.feature].lower;
    const Between bounds = between(interval);
    given_up = std::min(given_up, bounds.trim(interval.low, interval.high, limit_));
    if (interval.low > interval.high) return false;
    interval.lower = std::max(interval.lower, bounds.lower(interval.low, interval.high));
    if (interval.lower < limit_) return true;
    given_up = std::min(given_up, interval.lower);
    return false;
}

template <class T>
std::optional<typename Thresholds<T>::Job> Thresholds<T>::next() {
    while (!open_.empty()) {
        std::pop_heap(open_.begin(), open_.end());
        Interval interval = open_.back();
        open_.pop_back();
        if (!keep(interval)) continue;
        Feature& feature = features_[interval.feature];
        const auto& rows = curves_[feature.slot].rows;
        const auto low = rows.begin() + interval.low, high = rows.begin() + interval.high;
        const auto middle = std::lower_bound(low, high, (*low + *high) / 2);
        Point& point = feature.points.emplace_back();
        point.threshold = static_cast<std::int32_t>(middle - rows.begin());
        return Job{interval, &point, limit_};
    }
    return std::nullopt;
}

// Turns the bound by column of a branch into a bound for a branch with more rows. With fewer rows
// the first split may separate nothing, so that the tree is one level lower. Doubling it under a
// split by the column adds at most the price of its leaves.
template <class T>
double Thresholds<T>::grown(const Outcome& branch, std::int64_t leaves, std::size_t column) const {
    const std::int64_t half = full_leaves(depth_ - 2);
    if (branch.by_column.empty() || branch.by_column[column] == kInfinity || data_.min_leaf > 1 ||
        leaves < 2 * half) {
        return branch.lower;
    }
    return std::max(branch.lower,
                    branch.by_column[column] - data_.sparsity * static_cast<double>(half));
}

// Takes over bounds by column from the neighbours to a branch of the threshold.
template <class T>
void Thresholds<T>::bounds_by_column(const Job& job, int side,
                                     std::vector<double>& by_column) const {
    const Between bounds = between(job.interval);
    const std::int64_t leaves = features_[job.interval.feature].leaves[side];
    const Point* fewer = side == 0 ? job.interval.a : job.interval.b;
    const Point* more = side == 0 ? job.interval.b : job.interval.a;
    by_column.resize(data_.codes.size());
    for (std::size_t c = 0; c < by_column.size(); ++c) {
        const double from_fewer = fewer ? grown(fewer->branch[side], leaves, c) : 0.0;
        double from_more = 0.0;
        if (more && !more->branch[side].by_column.empty()) {
            from_more = more->branch[side].by_column[c];
        }
        by_column[c] = side == 0 ? bounds.carry_left(from_fewer, from_more, job.point->threshold)
                                 : bounds.carry_right(from_more, from_fewer, job.point->threshold);
    }
}

template <class T>
typename Search<T>::Branch Thresholds<T>::branch(const Feature& feature, std::int32_t threshold,
                                                 int side) const {
    const Curve& curve = curves_[feature.slot];
    const auto at = static_cast<std::size_t>(threshold);
    const auto on_left = static_cast<std::size_t>(curve.rows[at]);
    const Key key = curve.keys[at];
    if (side == 0) {
        return {subset_, feature.slot, threshold, true, key, curve.left[at], on_left};
    }
    return {subset_,
            feature.slot,
            threshold,
            false,
            {subset_.key[0] ^ key[0], subset_.key[1] ^ key[1]},
            curve.right[at],
            subset_.size - on_left};
}

// Solves both branches as far as that can decide about the neighbouring thresholds too. A bound of
// the left branch serves the thresholds to the right, together with what is known of their right
// branches; and vice versa.
template <class T>
void Thresholds<T>::examine(Search<T>& search, Job& job) const {
    const Between bounds = between(job.interval);
    const Feature& feature = features_[job.interval.feature];
    const Curve& curve = curves_[feature.slot];
    Point& point = *job.point;
    const std::int32_t t = point.threshold;
    const double known[2] = {bounds.left(t), bounds.right(t)};
    point.left = known[0];
    point.right = known[1];
    std::vector<double> by_column;
    const auto at = static_cast<std::size_t>(t);
    const int first = curve.right[at] > curve.left[at] ? 1 : 0;  // the larger loss first
    for (const int side : {first, 1 - first}) {
        bounds_by_column(job, side, by_column);
        Hint hint{&by_column, nullptr};
        for (const Point* p : {job.interval.a, job.interval.b}) {
            if (p && !p->branch[side].tree.empty()) hint.tree = &p->branch[side].tree;
        }
        const double asked = job.limit - known[1 - side];
        Outcome& branch = point.branch[side];
        branch = search.solve(this->branch(feature, t, side), depth_ - 1, feature.leaves[side],
                              asked + data_.tolerance, hint);
        double& lower = side == 0 ? point.left : point.right;
        lower = std::max(lower, blunt_ ? std::min(branch.lower, asked) : branch.lower);
        const bool settled = !(point.left + point.right < job.limit);
        if (side == first && settled && !worth_more(job, side)) break;
    }
    // A bound may be below the limit by rounding alone, so only the costs of trees count.
    job.found = point.branch[0].exact && point.branch[1].exact && point.cost() < job.limit;
}

// Whether to solve the other branch although the threshold is decided: yes, if it alone can decide
// about enough of the remaining thresholds.
template <class T>
bool Thresholds<T>::worth_more(const Job& job, int solved) const {
    constexpr std::int32_t few = 2;
    Between rest = between(job.interval);
    std::int32_t low = job.interval.low, high = job.interval.high;
    if (solved == 0) {
        rest.b = job.point;
        high = job.point->threshold - 1;
    } else {
        rest.a = job.point;
        low = job.point->threshold + 1;
    }
    if (low > high) return false;
    rest.trim(low, high, job.limit);
    return high - low >= few && rest.lower(low, high) < job.limit;
}

template <class T>
bool Thresholds<T>::done(const Job& job) {
    Feature& feature = features_[job.interval.feature];
    const Point& point = *job.point;
    feature.lower = std::min(feature.lower, point.left + point.right);
    const bool best = job.found && point.cost() < limit_;
    if (best) {
        value_ = point.cost();
        limit_ = value_ - data_.tolerance;
        best_ = &point;
        best_feature_ = job.interval.feature;
    }
    Interval before = job.interval, after = job.interval;
    before.high = point.threshold - 1;
    before.b = &point;
    after.low = point.threshold + 1;
    after.a = &point;
    for (Interval* part : {&before, &after}) {
        if (!keep(*part)) continue;
        part->promise = promise(*part);
        open_.push_back(*part);
        std::push_heap(open_.begin(), open_.end());
    }
    return best;
}

template <class T>
NodeList Thresholds<T>::tree() const {
    const Feature& feature = features_[best_feature_];
    const auto column = static_cast<std::size_t>(subset_.columns[feature.slot]);
    const auto rows = curves_[feature.slot].rows[static_cast<std::size_t>(best_->threshold)];
    return join(data_.column[column],
                code_of(data_, subset_, feature.slot, static_cast<std::size_t>(rows - 1)),
                best_->branch[0].tree, best_->branch[1].tree);
}

template <class T>
NodeList Thresholds<T>::tree_anew(Search<T>& search) const {
    const Feature& feature = features_[best_feature_];
    NodeList anew[2];
    for (int side = 0; side < 2; ++side) {
        const double budget = best_->branch[side].lower + 4 * data_.tolerance;
        Outcome found = search.solve(branch(feature, best_->threshold, side), depth_ - 1,
                                     feature.leaves[side], budget, Hint{});
        anew[side] = found.exact ? std::move(found.tree) : best_->branch[side].tree;
    }
    const NodeList old = tree();
    return join(old[0].column, old[0].code, anew[0], anew[1]);
}

template <class T>
double Thresholds<T>::open_lower() const {
    return open_.empty() ? kInfinity : open_.front().lower;
}

template <class T>
double Thresholds<T>::given_up() const {
    double lower = kInfinity;
    for (std::size_t slot = 0; slot < subset_.slots(); ++slot) {
        if (curves_[slot].rows.empty()) {
            lower = std::min(lower, given_[static_cast<std::size_t>(subset_.columns[slot])]);
        }
    }
    for (const Feature& feature : features_) lower = std::min(lower, feature.lower);
    return lower;
}

template <class T>
void Thresholds<T>::finish(Outcome& outcome) const {
    outcome.by_column.assign(data_.codes.size(), kInfinity);
    for (std::size_t slot = 0; slot < subset_.slots(); ++slot) {
        const auto column = static_cast<std::size_t>(subset_.columns[slot]);
        if (curves_[slot].rows.empty()) outcome.by_column[column] = given_[column];
    }
    for (const Feature& feature : features_) {
        double& lower = outcome.by_column[static_cast<std::size_t>(subset_.columns[feature.slot])];
        lower = std::min(lower, feature.lower);
    }
    outcome.lower = best_ ? value_ : given_up();
    outcome.exact = best_ != nullptr;
    if (best_) outcome.tree = tree();
}

template class Thresholds<std::int16_t>;
template class Thresholds<std::int32_t>;

}  // namespace ramify::optimal::continuous
