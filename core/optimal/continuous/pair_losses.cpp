#include "optimal/continuous/pair_losses.hpp"

#include <algorithm>
#include <limits>

namespace ramify::optimal::continuous {

template <class T>
PairLosses<T>::PairLosses(const Data& data)
    : data_(data), kernels_(pair_kernels<T>(data.min_leaf > 1)), rest_(data.width), walk_(data) {}

template <class T>
void PairLosses<T>::operator()(const Subset<T>& subset, std::size_t root, std::size_t child,
                               const Lanes& lanes, Losses& left, Losses& right) {
    if (data_.counting) {
        count(subset, root, child, lanes, left, right);
    } else if (data_.by_ranks()) {
        by_ranks(subset, root, child, lanes, left, right);
    } else if (data_.regression) {
        sum(subset, root, child, lanes, left, right);
    } else {
        least_sums(subset, root, child, lanes, left, right);
    }
}

template <class T>
void PairLosses<T>::least_sums(const Subset<T>& subset, std::size_t root, std::size_t child,
                               const Lanes& lanes, Losses& left, Losses& right) {
    sums_.resize(2 * (kLanes + 1) * data_.width);
    first_lane_.resize(subset.size);
    const T* rank = subset.rank(root);
    for (std::size_t local = 0; local < subset.size; ++local) {
        std::uint8_t lane = 0;
        for (std::size_t j = 0; j < kLanes; ++j) lane += lanes.threshold[j] < rank[local];
        first_lane_[local] = lane;
    }
    sum_kernel<T>()({subset.size, data_.width, subset.order(child), subset.last(child),
                     subset.order(root), first_lane_.data(), subset.row.data(),
                     data_.contribution.data(), lanes.count.data(),
                     static_cast<double>(data_.min_leaf), sums_.data(), left.data(), right.data()});
}

template <class T>
void PairLosses<T>::count(const Subset<T>& subset, std::size_t root, std::size_t child,
                          const Lanes& lanes, Losses& left, Losses& right) {
    alignas(64) std::array<T, kLanes> errors_left, errors_right;
    const bool two = data_.classes == 2;
    if (!two) scratch_.resize((2 * subset.size + data_.classes + 1) * kLanes + data_.classes);
    const auto least = std::min<std::int64_t>(data_.min_leaf, kernel::none<T>);
    const PairPass<T> pass{subset.size,
                           subset.order(child),
                           subset.ties(child) ? subset.last(child) : nullptr,
                           subset.label.data(),
                           data_.classes,
                           subset.rank(root),
                           lanes.threshold.data(),
                           lanes.count.data(),
                           static_cast<T>(least),
                           scratch_.data(),
                           errors_left.data(),
                           errors_right.data()};
    two ? kernels_.two(pass) : kernels_.many(pass);
    constexpr double none = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < kLanes; ++j) {
        const T count = lanes.count[j];
        left[j] = errors_left[j] > count ? none : errors_left[j];
        right[j] = errors_right[j] > static_cast<T>(subset.size) - count ? none : errors_right[j];
    }
}

// Sums of contributions, lane by lane. A row is left of the thresholds of its first lane and all
// later ones.
template <class T>
void PairLosses<T>::sum(const Subset<T>& subset, std::size_t root, std::size_t child,
                        const Lanes& lanes, Losses& left, Losses& right) {
    const auto used = static_cast<std::size_t>(lanes.used);
    const std::size_t width = data_.width;
    // Per lane: left branch, then right branch.
    all_.assign(2 * used * width, 0.0);
    sums_.assign(2 * used * width, 0.0);
    rows_.assign(2 * used, 0);
    left.fill(std::numeric_limits<double>::infinity());
    right.fill(std::numeric_limits<double>::infinity());
    const T* rank = subset.rank(root);
    const auto contribution = [&](std::size_t local) {
        return data_.contribution.data() + static_cast<std::size_t>(subset.row[local]) * width;
    };
    const auto branch = [&](std::size_t local, std::size_t lane) {
        return 2 * lane + (rank[local] <= lanes.threshold[lane] ? 0 : 1);
    };
    for (std::size_t local = 0; local < subset.size; ++local) {
        const double* more = contribution(local);
        for (std::size_t j = 0; j < used; ++j) {
            double* to = all_.data() + branch(local, j) * width;
            for (std::size_t p = 0; p < width; ++p) to[p] += more[p];
        }
    }
    const T* order = subset.order(child);
    const std::uint8_t* last = subset.last(child);
    for (std::size_t i = 0; i < subset.size; ++i) {
        const auto local = static_cast<std::size_t>(order[i]);
        const double* more = contribution(local);
        for (std::size_t j = 0; j < used; ++j) {
            const std::size_t to = branch(local, j);
            ++rows_[to];
            for (std::size_t p = 0; p < width; ++p) sums_[to * width + p] += more[p];
        }
        if (!last[i]) continue;
        for (std::size_t to = 0; to < 2 * used; ++to) {
            const auto in_left = static_cast<std::int64_t>(lanes.count[to / 2]);
            const auto total =
                to % 2 == 0 ? in_left : static_cast<std::int64_t>(subset.size) - in_left;
            if (rows_[to] < data_.min_leaf || total - rows_[to] < data_.min_leaf) continue;
            for (std::size_t p = 0; p < width; ++p) {
                rest_[p] = all_[to * width + p] - sums_[to * width + p];
            }
            const double loss = data_.loss(sums_.data() + to * width) + data_.loss(rest_.data());
            double& best = to % 2 == 0 ? left[to / 2] : right[to / 2];
            best = std::min(best, loss);
        }
    }
}

// The rows on either side of each threshold, one walk each.
template <class T>
void PairLosses<T>::by_ranks(const Subset<T>& subset, std::size_t root, std::size_t child,
                             const Lanes& lanes, Losses& left, Losses& right) {
    left.fill(std::numeric_limits<double>::infinity());
    right.fill(std::numeric_limits<double>::infinity());
    walk_.load(subset);
    const T* rank = subset.rank(root);
    const T* order = subset.order(child);
    const std::uint8_t* last = subset.last(child);
    for (std::size_t j = 0; j < static_cast<std::size_t>(lanes.used); ++j) {
        for (const bool side : {true, false}) {
            side_.clear();
            ends_.clear();
            for (std::size_t i = 0; i < subset.size; ++i) {
                const T row = order[i];
                if ((rank[static_cast<std::size_t>(row)] <= lanes.threshold[j]) == side) {
                    side_.push_back(row);
                    ends_.push_back(0);
                }
                if (last[i] && !ends_.empty()) ends_.back() = 1;
            }
            walk_.walk(side_, prefix_, suffix_);
            double& best = side ? left[j] : right[j];
            const auto least = static_cast<std::size_t>(data_.min_leaf);
            for (std::size_t i = least - 1; i + least < side_.size(); ++i) {
                if (ends_[i]) best = std::min(best, prefix_[i] + suffix_[i]);
            }
        }
    }
}

template class PairLosses<std::int16_t>;
template class PairLosses<std::int32_t>;

}  // namespace ramify::optimal::continuous
