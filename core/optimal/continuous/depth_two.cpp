#include "optimal/continuous/depth_two.hpp"

#include <algorithm>
#include <numeric>

#include "optimal/continuous/scan.hpp"

namespace ramify::optimal::continuous {

template <class T>
void DepthTwo<T>::solve(const Subset<T>& subset, std::int64_t leaves, double limit,
                        const Hint& hint, Outcome& outcome) {
    leaves_ = leaves;
    limit_ = limit;
    base_ = data_.sparsity;
    slots_ = subset.slots();
    best_root_ = nullptr;
    branch_.clear();
    outcome.by_column.assign(data_.codes.size(), kInfinity);
    outcome.lower = kInfinity;
    const auto known = [&](std::size_t slot) {
        return hint.by_column ? (*hint.by_column)[static_cast<std::size_t>(subset.columns[slot])]
                              : 0.0;
    };
    if (roots_.size() < slots_) roots_.resize(slots_);
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t slot = 0; slot < slots_; ++slot) {
        RootColumn& root = roots_[slot];
        root.points.clear();
        root.open.clear();
        root.lower = kInfinity;
        if (known(slot) >= limit_) {
            root.lower = known(slot);
            continue;
        }
        root.slot = slot;
        root.curve.trace(data_, subset, slot, 2, false);
        if (root.curve.first >= root.curve.end) continue;
        Interval all{-1, -1, root.curve.first, root.curve.end - 1, 2 * base_};
        if (!keep(root, all)) continue;
        root.open.push_back(all);
        double promise = kInfinity;
        for (auto t = static_cast<std::size_t>(all.low); t <= static_cast<std::size_t>(all.high);
             ++t) {
            promise = std::min(promise, root.curve.left[t] + root.curve.right[t]);
        }
        order.emplace_back(promise, slot);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [promise, slot] : order) round(subset, roots_[slot]);
    for (const auto& [promise, slot] : order) {
        while (!roots_[slot].open.empty()) round(subset, roots_[slot]);
    }
    for (std::size_t slot = 0; slot < slots_; ++slot) {
        const double lower = std::max(roots_[slot].lower, known(slot));
        outcome.by_column[static_cast<std::size_t>(subset.columns[slot])] = lower;
        outcome.lower = std::min(outcome.lower, lower);
    }
    if (best_root_) build(subset, outcome);
}

template <class T>
Between DepthTwo<T>::between(const RootColumn& root, const Interval& interval) const {
    const auto end = [&](std::int32_t point) -> const End* {
        return point < 0 ? nullptr : &root.points[static_cast<std::size_t>(point)];
    };
    return {data_, root.curve, end(interval.a), end(interval.b), 2, base_};
}

// Whether some threshold of the interval can still beat the limit.
template <class T>
bool DepthTwo<T>::keep(RootColumn& root, Interval& interval) const {
    if (interval.low > interval.high) return false;
    const Between bounds = between(root, interval);
    interval.lower = bounds.lower(interval.low, interval.high);
    if (interval.lower >= limit_) {
        root.lower = std::min(root.lower, interval.lower);
        return false;
    }
    root.lower = std::min(root.lower, bounds.trim(interval.low, interval.high, limit_));
    if (interval.low > interval.high) return false;
    interval.lower = bounds.lower(interval.low, interval.high);
    if (interval.lower < limit_) return true;
    root.lower = std::min(root.lower, interval.lower);
    return false;
}

// Chooses thresholds for the lanes: equally many from each open interval, spaced evenly by rows.
// Returns how many of the first intervals they come from.
template <class T>
std::size_t DepthTwo<T>::choose(const RootColumn& root) {
    chosen_.clear();
    owner_.clear();
    const std::size_t taken = std::min<std::size_t>(root.open.size(), kLanes);
    std::size_t left = kLanes;
    for (std::size_t i = 0; i < taken; ++i) {
        const Interval& interval = root.open[i];
        const auto size = static_cast<std::size_t>(interval.high - interval.low + 1);
        const std::size_t share = std::min(size, left / (taken - i));
        left -= share;
        const auto& rows = root.curve.rows;
        const auto low = static_cast<std::size_t>(interval.low);
        const auto high = static_cast<std::size_t>(interval.high);
        std::size_t next = low;
        for (std::size_t j = 0; j < share; ++j) {
            const double part = static_cast<double>(j + 1) / static_cast<double>(share + 1);
            const auto want =
                static_cast<std::int32_t>(rows[low] + part * (rows[high] - rows[low]));
            auto t = static_cast<std::size_t>(
                std::lower_bound(rows.begin() + static_cast<std::ptrdiff_t>(next),
                                 rows.begin() + static_cast<std::ptrdiff_t>(high), want) -
                rows.begin());
            t = std::min(t, high + 1 - (share - j));  // the others need a threshold each
            chosen_.push_back(static_cast<std::int32_t>(t));
            owner_.push_back(i);
            next = t + 1;
        }
    }
    return taken;
}

template <class T>
bool DepthTwo<T>::matters(const RootColumn& root, const Interval& interval,
                          std::size_t slot) const {
    const Between bounds = between(root, interval);
    const auto value = [&](std::int32_t point, std::size_t at) {
        return point < 0 ? 0.0 : branch_[root.points[static_cast<std::size_t>(point)].at + at];
    };
    const double left = bounds.carry_left_over(value(interval.a, slot), value(interval.b, slot),
                                               interval.low, interval.high);
    if (left + bounds.right_over(interval.low, interval.high) < limit_) return true;
    const double right =
        bounds.carry_right_over(value(interval.a, slots_ + slot), value(interval.b, slots_ + slot),
                                interval.low, interval.high);
    return right + bounds.left_over(interval.low, interval.high) < limit_;
}

template <class T>
void DepthTwo<T>::round(const Subset<T>& subset, RootColumn& root) {
    std::erase_if(root.open, [&](Interval& interval) { return !keep(root, interval); });
    if (root.open.empty()) return;
    const std::size_t taken = choose(root);
    const std::size_t first = root.points.size();
    for (std::size_t j = 0; j < chosen_.size(); ++j) {
        Point point;
        point.threshold = chosen_[j];
        point.at = branch_.size();
        const Interval& interval = root.open[owner_[j]];
        const Between bounds = between(root, interval);
        branch_.resize(branch_.size() + 2 * slots_);
        const auto value = [&](std::int32_t p, std::size_t at) {
            return p < 0 ? 0.0 : branch_[root.points[static_cast<std::size_t>(p)].at + at];
        };
        for (std::size_t s = 0; s < slots_; ++s) {
            const std::size_t r = slots_ + s;
            branch_[point.at + s] =
                bounds.carry_left(value(interval.a, s), value(interval.b, s), point.threshold);
            branch_[point.at + r] =
                bounds.carry_right(value(interval.a, r), value(interval.b, r), point.threshold);
        }
        root.points.push_back(point);
    }
    typename PairLosses<T>::Lanes lanes;
    lanes.used = static_cast<int>(chosen_.size());
    for (std::size_t j = 0; j < kLanes; ++j) {
        const auto t = chosen_[std::min(j, chosen_.size() - 1)];
        lanes.threshold[j] = static_cast<T>(t);
        lanes.count[j] = static_cast<T>(root.curve.rows[static_cast<std::size_t>(t)]);
    }
    for (std::size_t slot = 0; slot < slots_; ++slot) {
        bool walk = false;
        for (std::size_t i = 0; i < taken && !walk; ++i) walk = matters(root, root.open[i], slot);
        if (!walk) continue;
        work_ += subset.size;
        if (work_ > 20000) {
            work_ = 0;
            monitor_.poll();
        }
        losses_(subset, root.slot, slot, lanes, left_, right_);
        for (std::size_t j = 0; j < chosen_.size(); ++j) {
            const Point& point = root.points[first + j];
            const auto t = static_cast<std::size_t>(point.threshold);
            branch_[point.at + slot] =
                std::min(left_[j] + 2 * data_.sparsity, root.curve.left[t] + data_.sparsity);
            branch_[point.at + slots_ + slot] =
                std::min(right_[j] + 2 * data_.sparsity, root.curve.right[t] + data_.sparsity);
        }
    }
    for (std::size_t j = 0; j < chosen_.size(); ++j) settle(root, root.points[first + j]);
    next_.clear();
    for (std::size_t i = 0, j = 0; i < root.open.size(); ++i) {
        Interval rest = root.open[i];
        for (; j < chosen_.size() && owner_[j] == i; ++j) {
            const auto point = static_cast<std::int32_t>(first + j);
            Interval before{rest.a, point, rest.low, chosen_[j] - 1, rest.lower};
            if (keep(root, before)) next_.push_back(before);
            rest.a = point;
            rest.low = chosen_[j] + 1;
        }
        if (keep(root, rest)) next_.push_back(rest);
    }
    root.open.swap(next_);
}

// Finds the best tree with the threshold of a point, from its branches.
template <class T>
void DepthTwo<T>::settle(RootColumn& root, Point& point) {
    const double* left = branch_.data() + point.at;
    const double* right = left + slots_;
    const auto t = static_cast<std::size_t>(point.threshold);
    const auto at_left = std::min_element(left, left + slots_);
    const auto at_right = std::min_element(right, right + slots_);
    const double leaf_left = root.curve.left[t] + data_.sparsity;
    const double leaf_right = root.curve.right[t] + data_.sparsity;
    point.left = std::min(*at_left, leaf_left);
    point.right = std::min(*at_right, leaf_right);
    point.child[0] = point.left < leaf_left ? static_cast<std::int32_t>(at_left - left) : -1;
    point.child[1] = point.right < leaf_right ? static_cast<std::int32_t>(at_right - right) : -1;
    double value = point.left + point.right;
    if (leaves_ < 4 && point.child[0] >= 0 && point.child[1] >= 0) {
        const bool split_left = point.left + leaf_right <= leaf_left + point.right;
        value = split_left ? point.left + leaf_right : leaf_left + point.right;
        point.child[split_left ? 1 : 0] = -1;
    }
    point.value = value;
    root.lower = std::min(root.lower, value);
    if (!(value < limit_)) return;
    limit_ = value - data_.tolerance;
    best_root_ = &root;
    best_ = point;
}

template <class T>
void DepthTwo<T>::build(const Subset<T>& subset, Outcome& outcome) const {
    const auto column = [&](std::size_t slot) {
        return data_.column[static_cast<std::size_t>(subset.columns[slot])];
    };
    NodeList branch[2];
    for (int side = 0; side < 2; ++side) {
        branch[side] = {Node{}};
        if (best_.child[side] < 0) continue;
        const auto slot = static_cast<std::size_t>(best_.child[side]);
        const Side<T> rows{subset.rank(best_root_->slot), best_.threshold, side == 0};
        const Found found = scan(data_, subset, slot, rows);
        branch[side] = {Node{column(slot), found.code, 1, 2}, Node{}, Node{}};
    }
    const auto rows =
        static_cast<std::size_t>(best_root_->curve.rows[static_cast<std::size_t>(best_.threshold)]);
    outcome.tree = join(column(best_root_->slot),
                        code_of(data_, subset, best_root_->slot, rows - 1), branch[0], branch[1]);
    outcome.lower = best_.value;
    outcome.exact = true;
}

template class DepthTwo<std::int16_t>;
template class DepthTwo<std::int32_t>;

}  // namespace ramify::optimal::continuous
