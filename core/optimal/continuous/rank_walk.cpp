#include "optimal/continuous/rank_walk.hpp"

#include <algorithm>
#include <numeric>

namespace ramify::optimal::continuous {

template <class T>
void RankWalk<T>::load(const Subset<T>& subset) {
    if (loaded_ && key_ == subset.key && size_ == subset.size) return;
    loaded_ = true;
    key_ = subset.key;
    size_ = subset.size;
    const NumberLoss& numbers = *data_.numbers;
    target_.resize(size_);
    weight_.resize(size_);
    for (std::size_t local = 0; local < size_; ++local) {
        const auto row = static_cast<std::size_t>(subset.row[local]);
        target_[local] = numbers.sorted()[static_cast<std::size_t>(numbers.ranks()[row])];
        weight_[local] = numbers.weight(row);
    }
    by_target_.resize(size_);
    std::iota(by_target_.begin(), by_target_.end(), T{0});
    std::sort(by_target_.begin(), by_target_.end(), [&](T a, T b) {
        const double x = target_[static_cast<std::size_t>(a)];
        const double y = target_[static_cast<std::size_t>(b)];
        return x != y ? x < y : a < b;
    });
    inside_.assign(size_, 0);
    before_.resize(size_);
    after_.resize(size_);
}

template <class T>
void RankWalk<T>::link(const std::vector<T>& order) {
    std::int32_t last = -1;
    total_ = moment_ = below_ = below_moment_ = 0.0;
    at_ = -1;
    const bool all = order.size() == size_;
    if (!all) {
        for (const T row : order) inside_[static_cast<std::size_t>(row)] = 1;
    }
    for (const T next : by_target_) {
        const auto row = static_cast<std::size_t>(next);
        if (!all && !inside_[row]) continue;
        before_[row] = last;
        (last < 0 ? at_ : after_[static_cast<std::size_t>(last)]) = next;
        last = next;
        total_ += weight_[row];
        moment_ += weight_[row] * target_[row];
    }
    if (last >= 0) after_[static_cast<std::size_t>(last)] = -1;
    if (!all) {
        for (const T row : order) inside_[static_cast<std::size_t>(row)] = 0;
    }
    settle();
}

template <class T>
void RankWalk<T>::settle() {
    if (at_ < 0) return;
    const double wanted = data_.numbers->rule().quantile * total_;
    const auto weigh = [&](std::int32_t row, double sign) {
        const auto r = static_cast<std::size_t>(row);
        below_ += sign * weight_[r];
        below_moment_ += sign * weight_[r] * target_[r];
    };
    while (below_ > wanted && before_[static_cast<std::size_t>(at_)] >= 0) {
        at_ = before_[static_cast<std::size_t>(at_)];
        weigh(at_, -1.0);
    }
    while (below_ + weight_[static_cast<std::size_t>(at_)] < wanted &&
           after_[static_cast<std::size_t>(at_)] >= 0) {
        weigh(at_, 1.0);
        at_ = after_[static_cast<std::size_t>(at_)];
    }
}

template <class T>
void RankWalk<T>::take_out(std::size_t row) {
    const std::int32_t before = before_[row], after = after_[row];
    if (before >= 0) after_[static_cast<std::size_t>(before)] = after;
    if (after >= 0) before_[static_cast<std::size_t>(after)] = before;
    const double w = weight_[row], moment = w * target_[row];
    total_ -= w;
    moment_ -= moment;
    const auto of_pointer = static_cast<std::size_t>(at_);
    if (row == of_pointer) {
        at_ = after >= 0 ? after : before;
        if (after < 0 && before >= 0) {
            const auto b = static_cast<std::size_t>(before);
            below_ -= weight_[b];
            below_moment_ -= weight_[b] * target_[b];
        }
    } else if (target_[row] < target_[of_pointer] ||
               (target_[row] == target_[of_pointer] && row < of_pointer)) {
        below_ -= w;
        below_moment_ -= moment;
    }
    settle();
}

template <class T>
double RankWalk<T>::loss() const {
    if (at_ < 0) return 0.0;
    const double y = target_[static_cast<std::size_t>(at_)];
    const RankLoss& rule = data_.numbers->rule();
    const double under = y * below_ - below_moment_;
    const double over = (moment_ - below_moment_) - y * (total_ - below_);
    return std::max(0.0, rule.below * under + rule.above * over);
}

template <class T>
void RankWalk<T>::walk(const std::vector<T>& order, std::vector<double>& prefix,
                       std::vector<double>& suffix) {
    const std::size_t n = order.size();
    prefix.resize(n);
    suffix.resize(n);
    link(order);
    const double whole = loss();
    for (std::size_t i = 0; i < n; ++i) {
        take_out(static_cast<std::size_t>(order[i]));
        suffix[i] = loss();
    }
    link(order);
    if (n > 0) prefix[n - 1] = whole;
    for (std::size_t i = n; i-- > 1;) {
        take_out(static_cast<std::size_t>(order[i]));
        prefix[i - 1] = loss();
    }
}

template class RankWalk<std::int16_t>;
template class RankWalk<std::int32_t>;

}  // namespace ramify::optimal::continuous
