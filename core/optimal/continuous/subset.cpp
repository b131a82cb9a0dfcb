#include "optimal/continuous/subset.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "optimal/continuous/rank_walk.hpp"

namespace ramify::optimal::continuous {

template <class T>
void Subset<T>::all(const Data& data) {
    size = data.rows;
    row.resize(size);
    std::iota(row.begin(), row.end(), 0);
    columns.clear(), distinct.clear();
    orders.resize(size * data.codes.size());
    ranks.resize(orders.size());
    lasts.resize(orders.size());
    std::vector<std::int32_t> start;
    for (std::size_t c = 0; c < data.codes.size(); ++c) {
        const auto& codes = data.codes[c];
        start.assign(data.values[c].size() + 1, 0);
        for (const auto code : codes) ++start[static_cast<std::size_t>(code) + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        T* to = orders.data() + c * size;
        for (std::size_t r = 0; r < size; ++r) {
            const auto code = static_cast<std::size_t>(codes[r]);
            to[start[code]++] = static_cast<T>(r);
            ranks[c * size + r] = static_cast<T>(code);
        }
        for (std::size_t i = 0; i < size; ++i) {
            lasts[c * size + i] = i + 1 == size || codes[static_cast<std::size_t>(to[i])] !=
                                                       codes[static_cast<std::size_t>(to[i + 1])];
        }
        columns.push_back(static_cast<std::int32_t>(c));
        distinct.push_back(static_cast<std::int32_t>(data.values[c].size()));
    }
    finish(data);
}

template <class T>
void Subset<T>::part(const Data& data, const Subset& parent, std::size_t slot, std::int32_t rank,
                     bool left) {
    const std::size_t before = parent.size;
    renumbered_.resize(before);
    inside_.resize(before);
    groups_.resize(before + 1);
    row.resize(before);
    const T* of = parent.rank(slot);
    size = 0;
    for (std::size_t r = 0; r < before; ++r) {
        const bool in = (of[r] <= rank) == left;
        inside_[r] = in;
        renumbered_[r] = static_cast<T>(size);
        row[size] = parent.row[r];
        size += in;
    }
    row.resize(size);
    columns.clear(), distinct.clear();
    // One element past the end is written and then ignored.
    orders.resize(size * parent.slots() + 1);
    ranks.resize(size * parent.slots() + 1);
    lasts.resize(size * parent.slots() + 1);
    for (std::size_t s = 0; s < parent.slots(); ++s) {
        const T* from = parent.order(s);
        const std::uint8_t* last = parent.last(s);
        const std::size_t base = columns.size() * size;
        T* order = orders.data() + base;
        T* ranked = ranks.data() + base;
        std::uint8_t* ends = lasts.data() + base;
        std::size_t count = 0;
        std::int32_t next = 0;
        // Without jumps, because whether a row is inside cannot be predicted.
        if (parent.ties(s)) {
            std::int32_t group = 0;
            for (std::size_t i = 0; i < before; ++i) {
                const auto r = static_cast<std::size_t>(from[i]);
                order[count] = renumbered_[r];
                groups_[count] = group;
                group += last[i];
                count += inside_[r];
            }
            groups_[size] = -1;
            for (std::size_t i = 0; i < size; ++i) {
                ranked[order[i]] = static_cast<T>(next);
                ends[i] = groups_[i] != groups_[i + 1];
                next += ends[i];
            }
        } else {
            for (std::size_t i = 0; i < before; ++i) {
                const auto r = static_cast<std::size_t>(from[i]);
                order[count] = renumbered_[r];
                count += inside_[r];
            }
            for (std::size_t i = 0; i < size; ++i) ranked[order[i]] = static_cast<T>(i);
            std::fill(ends, ends + size, std::uint8_t{1});
            next = static_cast<std::int32_t>(size);
        }
        if (next < 2) continue;
        columns.push_back(parent.columns[s]);
        distinct.push_back(next);
    }
    finish(data);
}

template <class T>
void Subset<T>::finish(const Data& data) {
    label.resize(size);
    sums.assign(data.width, 0.0);
    unavoidable = 0.0;
    key = {0, 0};
    for (std::size_t r = 0; r < size; ++r) {
        const auto at = static_cast<std::size_t>(row[r]);
        if (!data.regression) label[r] = static_cast<T>(data.walk_label(data.labels[at]));
        data.add(at, sums.data());
        unavoidable += data.unavoidable[at];
        key[0] ^= data.keys[at][0];
        key[1] ^= data.keys[at][1];
    }
    leaf = data.loss(sums.data());
}

template <class T>
void Curve::trace(const Data& data, const Subset<T>& subset, std::size_t slot, std::int64_t leaves,
                  bool with_keys) {
    const auto thresholds = static_cast<std::size_t>(subset.distinct[slot] - 1);
    rows.resize(thresholds);
    stakes.resize(thresholds);
    left.resize(thresholds);
    right.resize(thresholds);
    if (data.counting && data.classes == 2) {
        count_two(subset, slot);
    } else if (data.counting) {
        count_many(data, subset, slot, leaves);
    } else {
        add_up(data, subset, slot);
    }
    if (with_keys) add_keys(data, subset, slot);
    const auto size = static_cast<std::int64_t>(subset.size);
    const auto enough = std::lower_bound(rows.begin(), rows.end(), data.min_leaf);
    first = static_cast<std::int32_t>(enough - rows.begin());
    const auto too_many = std::upper_bound(rows.begin(), rows.end(), size - data.min_leaf);
    end = static_cast<std::int32_t>(too_many - rows.begin());
}

template <class T>
void Curve::count_two(const Subset<T>& subset, std::size_t slot) {
    const T* order = subset.order(slot);
    const std::uint8_t* last = subset.last(slot);
    std::int32_t total = 0, walk = 0;  // class 1 less class 0
    for (std::size_t i = 0; i < subset.size; ++i) total += subset.label[i];
    const auto size = static_cast<std::int32_t>(subset.size);
    // The smaller of two classes has half of (the rows minus the difference of the classes).
    for (std::int32_t i = 1, t = 0; t < static_cast<std::int32_t>(rows.size()); ++i) {
        walk += subset.label[static_cast<std::size_t>(order[i - 1])];
        const auto at = static_cast<std::size_t>(t);
        rows[at] = i;
        stakes[at] = i;
        left[at] = (i - std::abs(walk)) / 2;
        right[at] = (size - i - std::abs(total - walk)) / 2;
        t += last[i - 1];
    }
}

template <class T>
void Curve::count_many(const Data& data, const Subset<T>& subset, std::size_t slot,
                       std::int64_t leaves) {
    const std::size_t classes = data.classes;
    const bool bounded = static_cast<std::size_t>(leaves) < classes;
    const auto top = bounded ? static_cast<std::ptrdiff_t>(leaves) : 1;
    least_left.resize(bounded ? rows.size() : 0);
    least_right.resize(least_left.size());
    const T* order = subset.order(slot);
    const std::uint8_t* last = subset.last(slot);
    // Once forward for the left branches, once backward for the right ones.
    for (const bool forward : {true, false}) {
        auto& loss = forward ? left : right;
        auto& least = forward ? least_left : least_right;
        counts_.assign(classes, 0);
        sorted_.resize(classes);
        std::int32_t largest = 0;
        for (std::size_t n = 1, done = 0; done < rows.size(); ++n) {
            const std::size_t i = forward ? n - 1 : subset.size - n;
            const auto row = static_cast<std::size_t>(order[i]);
            std::int32_t& count = counts_[static_cast<std::size_t>(subset.label[row])];
            largest = std::max(largest, ++count);
            if (!last[forward ? i : i - 1]) continue;
            const std::size_t t = forward ? done : rows.size() - 1 - done;
            ++done;
            if (forward) {
                rows[t] = static_cast<std::int32_t>(n);
                stakes[t] = static_cast<double>(n);
            }
            loss[t] = static_cast<double>(n) - largest;
            if (!bounded) continue;
            std::partial_sort_copy(counts_.begin(), counts_.end(), sorted_.begin(),
                                   sorted_.begin() + top, std::greater<>());
            least[t] = static_cast<double>(n);
            for (std::ptrdiff_t c = 0; c < top; ++c)
                least[t] -= sorted_[static_cast<std::size_t>(c)];
        }
    }
}

template <class T>
void Curve::add_up(const Data& data, const Subset<T>& subset, std::size_t slot) {
    if (data.by_ranks()) return walk_ranks(data, subset, slot);
    sums_.assign(data.width, 0.0);
    rest_.resize(data.width);
    const T* order = subset.order(slot);
    const std::uint8_t* last = subset.last(slot);
    double stake = 0.0;
    for (std::size_t i = 0, t = 0; t < rows.size(); ++i) {
        const auto row = static_cast<std::size_t>(subset.row[static_cast<std::size_t>(order[i])]);
        data.add(row, sums_.data());
        stake += data.stake[row];
        if (!last[i]) continue;
        for (std::size_t p = 0; p < data.width; ++p) rest_[p] = subset.sums[p] - sums_[p];
        rows[t] = static_cast<std::int32_t>(i + 1);
        stakes[t] = stake;
        left[t] = data.loss(sums_.data());
        right[t] = data.loss(rest_.data());
        ++t;
    }
}

template <class T>
void Curve::walk_ranks(const Data& data, const Subset<T>& subset, std::size_t slot) {
    RankWalk<T> walk(data);
    walk.load(subset);
    const std::vector<T> order(subset.order(slot), subset.order(slot) + subset.size);
    std::vector<double> prefix, suffix;
    walk.walk(order, prefix, suffix);
    double stake = 0.0;
    for (std::size_t i = 0, t = 0; t < rows.size(); ++i) {
        const auto local = static_cast<std::size_t>(order[i]);
        stake += data.stake[static_cast<std::size_t>(subset.row[local])];
        if (!subset.last(slot)[i]) continue;
        rows[t] = static_cast<std::int32_t>(i + 1);
        stakes[t] = stake;
        left[t] = prefix[i];
        right[t] = suffix[i];
        ++t;
    }
}

template <class T>
void Curve::add_keys(const Data& data, const Subset<T>& subset, std::size_t slot) {
    keys.resize(rows.size());
    impurity.resize(rows.size());
    sums_.assign(data.width, 0.0);
    rest_.resize(data.width);
    Key key{0, 0};
    std::size_t i = 0;
    for (std::size_t t = 0; t < rows.size(); ++t) {
        for (; i < static_cast<std::size_t>(rows[t]); ++i) {
            const auto local = static_cast<std::size_t>(subset.order(slot)[i]);
            const auto row = static_cast<std::size_t>(subset.row[local]);
            key[0] ^= data.keys[row][0];
            key[1] ^= data.keys[row][1];
            if (!data.by_ranks()) data.add(row, sums_.data());
        }
        keys[t] = key;
        if (data.by_ranks()) {
            impurity[t] = left[t] + right[t];
            continue;
        }
        for (std::size_t p = 0; p < data.width; ++p) rest_[p] = subset.sums[p] - sums_[p];
        impurity[t] = data.impurity(sums_.data()) + data.impurity(rest_.data());
    }
}

template struct Subset<std::int16_t>;
template struct Subset<std::int32_t>;
template void Curve::trace(const Data&, const Subset<std::int16_t>&, std::size_t, std::int64_t,
                           bool);
template void Curve::trace(const Data&, const Subset<std::int32_t>&, std::size_t, std::int64_t,
                           bool);

}  // namespace ramify::optimal::continuous
