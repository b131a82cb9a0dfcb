// Trees of depth two by counting. For a root column and sixteen of its thresholds at once (the
// lanes of a vector), one walk along the order of a child column finds the fewest errors of
// splitting the rows left of each threshold by that column, and likewise the rows right of it. Two
// classes: the errors of labels (a, b) are a constant plus the lowest or highest point of a walk
// that goes up with one class and down with the other. More classes: the largest class of every
// prefix is stored on a walk forward and combined with that of the suffix on a walk back.
// Invariant: exact for every lane; a lane without a valid split answers more errors than rows. This
// header uses nothing of the library: it is compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ramify::optimal::continuous {

constexpr int kLanes = 16;

template <class T>
struct PairPass {
    std::size_t size;
    const T* order;            // rows in the order of the child column
    const std::uint8_t* last;  // null if no two rows share a rank there
    const T* label;            // two classes: 1 or -1
    std::size_t classes;
    const T* rank;        // of a row in the root column
    const T* thresholds;  // one a lane
    const T* counts;      // rows left of it
    T min_leaf;
    T* scratch;  // more than two classes: (2 * size + classes) * kLanes
    T* left;     // answers
    T* right;
};

template <class T>
struct PairKernels {
    void (*two)(const PairPass<T>&);
    void (*many)(const PairPass<T>&);
};
template <class T>
PairKernels<T> pair_kernels(bool min_leaf);  // the fastest that this machine has

namespace kernel {

// Too many rows for 16 bits: `none` must not overflow when rows are added.
template <class T>
constexpr T none = static_cast<T>(sizeof(T) == 2 ? 16000 : 1000000000);

template <class T>
struct VectorOf;
template <>
struct VectorOf<std::int16_t> {
    typedef std::int16_t type __attribute__((vector_size(2 * kLanes)));
};
template <>
struct VectorOf<std::int32_t> {
    typedef std::int32_t type __attribute__((vector_size(4 * kLanes)));
};

// `Isa` only tells the copies for different instruction sets apart.
template <class Isa, class T, bool kMinLeaf>
struct Walk {
    using V = typename VectorOf<T>::type;

    static void load(V& to, const T* from) { __builtin_memcpy(&to, from, sizeof(V)); }
    static void store(T* to, const V& from) { __builtin_memcpy(to, &from, sizeof(V)); }

    template <bool kTies>
    static void two_classes(const PairPass<T>& pass) {
        const V zero = {};
        const V least = zero + pass.min_leaf;
        V beyond, in_left;  // ranks below `beyond` go left
        load(beyond, pass.thresholds);
        load(in_left, pass.counts);
        beyond += 1;
        const V in_right = zero + static_cast<T>(pass.size) - in_left;
        const T start = kMinLeaf ? none<T> : T{0};
        V low_left = zero + start, high_left = zero - start, low_right = low_left,
          high_right = high_left;
        V walk_left = zero, rows_left = zero;
        T walk = 0;
        for (std::size_t i = 0; i < pass.size; ++i) {
            const T row = pass.order[i];
            const T step = pass.label[row];
            const V inside = beyond > zero + pass.rank[row];
            walk_left += inside & (zero + step);
            walk = static_cast<T>(walk + step);
            if (kMinLeaf) rows_left -= inside;
            if (kTies && !pass.last[i]) continue;
            const V walk_right = zero + walk - walk_left;
            if (kMinLeaf) {
                const V rows_right = zero + static_cast<T>(i + 1) - rows_left;
                const V ok_left = (rows_left >= least) & (in_left - rows_left >= least);
                const V ok_right = (rows_right >= least) & (in_right - rows_right >= least);
                const V bar = zero + none<T>;
                const V a = (walk_left & ok_left) | (bar & ~ok_left);
                const V b = (walk_left & ok_left) | (-bar & ~ok_left);
                const V c = (walk_right & ok_right) | (bar & ~ok_right);
                const V d = (walk_right & ok_right) | (-bar & ~ok_right);
                low_left = a < low_left ? a : low_left;
                high_left = b > high_left ? b : high_left;
                low_right = c < low_right ? c : low_right;
                high_right = d > high_right ? d : high_right;
            } else {
                low_left = walk_left < low_left ? walk_left : low_left;
                high_left = walk_left > high_left ? walk_left : high_left;
                low_right = walk_right < low_right ? walk_right : low_right;
                high_right = walk_right > high_right ? walk_right : high_right;
            }
        }
        const V ends_right = zero + walk - walk_left;
        const V down_left = (in_left - walk_left) >> 1, down_right = (in_right - ends_right) >> 1;
        const V a = down_left + low_left, b = in_left - down_left - high_left;
        const V c = down_right + low_right, d = in_right - down_right - high_right;
        store(pass.left, a < b ? a : b);
        store(pass.right, c < d ? c : d);
    }

    // The rows of the largest class, left and right of each threshold, while rows are added.
    struct LargestClass {
        explicit LargestClass(const PairPass<T>& pass)
            : counts(pass.scratch + 2 * pass.size * kLanes),
              totals(counts + pass.classes * kLanes) {
            clear(pass);
        }
        void clear(const PairPass<T>& pass) {
            for (std::size_t c = 0; c < pass.classes * kLanes; ++c) counts[c] = 0;
            for (std::size_t c = 0; c < pass.classes; ++c) totals[c] = 0;
            left = right = V{};
        }
        // `inside` tells the lanes whose threshold the row is left of.
        __attribute__((always_inline)) void add(const PairPass<T>& pass, T row, const V& inside) {
            const V zero = {};
            const auto label = static_cast<std::size_t>(pass.label[row]);
            V count;
            load(count, counts + label * kLanes);
            count -= inside;
            store(counts + label * kLanes, count);
            const V other = zero + ++totals[label] - count;
            left = count > left ? count : left;
            right = other > right ? other : right;
        }

        T* counts;  // of each class, left of each threshold
        T* totals;  // of each class
        V left, right;
    };

    template <bool kTies>
    static void many_classes(const PairPass<T>& pass) {
        const V zero = {};
        const V least = zero + pass.min_leaf;
        V beyond, in_left;  // ranks below `beyond` go left
        load(beyond, pass.thresholds);
        load(in_left, pass.counts);
        beyond += 1;
        const V in_right = zero + static_cast<T>(pass.size) - in_left;
        T* prefix = pass.scratch;
        LargestClass largest(pass);
        V rows_left = zero;
        for (std::size_t i = 0; i < pass.size; ++i) {
            const T row = pass.order[i];
            const V inside = beyond > zero + pass.rank[row];
            largest.add(pass, row, inside);
            if (kMinLeaf) rows_left -= inside;
            if (kTies && !pass.last[i]) continue;
            V a = largest.left, b = largest.right;
            if (kMinLeaf) {
                const V rows_right = zero + static_cast<T>(i + 1) - rows_left;
                const V bar = zero - none<T>;
                const V ok_left = (rows_left >= least) & (in_left - rows_left >= least);
                const V ok_right = (rows_right >= least) & (in_right - rows_right >= least);
                a = (a & ok_left) | (bar & ~ok_left);
                b = (b & ok_right) | (bar & ~ok_right);
            }
            store(prefix + 2 * i * kLanes, a);
            store(prefix + (2 * i + 1) * kLanes, b);
        }
        const T start = kMinLeaf ? static_cast<T>(-none<T>) : T{0};
        V best_left = kMinLeaf ? zero + start : largest.left;
        V best_right = kMinLeaf ? zero + start : largest.right;
        largest.clear(pass);
        for (std::size_t i = pass.size; i-- > 1;) {
            const T row = pass.order[i];
            largest.add(pass, row, beyond > zero + pass.rank[row]);
            if (kTies && !pass.last[i - 1]) continue;
            V a, b;
            load(a, prefix + 2 * (i - 1) * kLanes);
            load(b, prefix + (2 * (i - 1) + 1) * kLanes);
            a += largest.left;
            b += largest.right;
            best_left = a > best_left ? a : best_left;
            best_right = b > best_right ? b : best_right;
        }
        store(pass.left, in_left - best_left);
        store(pass.right, in_right - best_right);
    }

    static void two(const PairPass<T>& pass) {
        pass.last ? two_classes<true>(pass) : two_classes<false>(pass);
    }
    static void many(const PairPass<T>& pass) {
        pass.last ? many_classes<true>(pass) : many_classes<false>(pass);
    }
};

template <class Isa, class T>
PairKernels<T> of(bool min_leaf) {
    if (min_leaf) return {Walk<Isa, T, true>::two, Walk<Isa, T, true>::many};
    return {Walk<Isa, T, false>::two, Walk<Isa, T, false>::many};
}

}  // namespace kernel
}  // namespace ramify::optimal::continuous
