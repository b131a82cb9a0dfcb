// The code of the kernels. Invariant: it is compiled for the instruction set of the file that
// includes it, and is not visible outside that file.
#pragma once

#include "optimal/binary/kernels.hpp"
#include "optimal/binary/lanes.hpp"

namespace ramify::optimal::binary {
namespace {

// The four leaves of a pair of splits, for many second features at a time: leaf[0] has both
// features, [1] the first, [2] the second, [3] neither. The rows of the first class are kept; the
// errors of a leaf follow from them, or from sum and maximum.
template <typename T, bool two_classes, bool limited>
struct Leaves {
    Lanes<T> most[4] = {};
    Lanes<T> sum[4] = {};

    void add(std::size_t c, const Lanes<T>& both, const Lanes<T>& first, const Lanes<T>& second,
             const Lanes<T>& neither_first) {
        const Lanes<T> only_second = second - both;
        const Lanes<T> count[4] = {both, first - both, only_second, neither_first - only_second};
        for (int leaf = 0; leaf < 4; ++leaf) {
            if (c == 0) {
                most[leaf] = count[leaf];
                if constexpr (limited || !two_classes) sum[leaf] = count[leaf];
            } else {
                most[leaf] = two_classes ? least<T>(most[leaf], count[leaf])
                                         : largest<T>(most[leaf], count[leaf]);
                if constexpr (limited || !two_classes) sum[leaf] = sum[leaf] + count[leaf];
            }
        }
    }

    Lanes<T> wrong(int leaf, const Lanes<T>& min_leaf) const {
        Lanes<T> out = most[leaf];
        if constexpr (!two_classes) out = sum[leaf] - most[leaf];
        if constexpr (limited) out = unless_small<T>(out, sum[leaf], min_leaf);
        return out;
    }

    // Updates the best of the first feature (in `with`, `without`) and of the second features.
    void settle(const Lanes<T>& min_leaf, Lanes<T>& with, Lanes<T>& without, PairBest<T> best,
                std::size_t at) const {
        const Lanes<T> both = wrong(0, min_leaf), first = wrong(1, min_leaf),
                       second = wrong(2, min_leaf), neither = wrong(3, min_leaf);
        const auto add = [](const Lanes<T>& a, const Lanes<T>& b) {
            if constexpr (limited) return add_saturated<T>(a, b);
            return a + b;
        };
        with = least<T>(with, add(both, first));
        without = least<T>(without, add(second, neither));
        store<T>(best.with + at, least<T>(load<T>(best.with + at), add(both, second)));
        store<T>(best.without + at, least<T>(load<T>(best.without + at), add(first, neither)));
    }
};

enum class Use { count, evaluate, evaluate_both };

template <typename T>
void start(const PairSet<T>& set, PairBest<T> best) {
    for (std::size_t f = 0; f < set.stride; ++f) {
        best.with[f] = best.without[f] = static_cast<T>(~T{0});
    }
}

template <typename T, Use use, bool two_classes, bool limited>
void all_pairs(const PairSet<T>& set, [[maybe_unused]] const PairSet<T>* rest,
               [[maybe_unused]] const T* pairs, [[maybe_unused]] T* counted, PairBest<T> best,
               [[maybe_unused]] PairBest<T> best_rest) {
    constexpr std::size_t step = lane_count<T>;
    const std::size_t stride = set.stride;
    const std::size_t classes = two_classes ? 2 : set.classes;
    const Lanes<T> min_leaf = broadcast<T>(set.min_leaf);
    if (set.from == 0) {
        start(set, best);
        if constexpr (use == Use::evaluate_both) start(*rest, best_rest);
    }
    for (std::size_t i = set.from; i < set.to; ++i) {
        const Lanes<T> most = broadcast<T>(static_cast<T>(~T{0}));
        Lanes<T> with = most, without = most, rest_with = most, rest_without = most;
        for (std::size_t j = i / step * step; j < stride; j += step) {
            Leaves<T, two_classes, limited> leaves;
            Leaves<T, two_classes, limited> rest_leaves;
            for (std::size_t c = 0; c < classes; ++c) {
                Lanes<T> both = broadcast<T>(0);
                for (std::size_t w = set.segment[c]; w < set.segment[c + 1]; ++w) {
                    const T* words = set.bits + w * stride;
                    both = both + ones<T>(broadcast<T>(words[i]) & load<T>(words + j));
                }
                const T* single = set.single + c * stride;
                leaves.add(c, both, broadcast<T>(single[i]), load<T>(single + j),
                           broadcast<T>(static_cast<T>(set.total[c] - single[i])));
                const std::size_t at = (c * set.features + i) * stride + j;
                if constexpr (use == Use::count) store<T>(counted + at, both);
                if constexpr (use == Use::evaluate_both) {
                    const T* left = rest->single + c * stride;
                    rest_leaves.add(c, load<T>(pairs + at) - both, broadcast<T>(left[i]),
                                    load<T>(left + j),
                                    broadcast<T>(static_cast<T>(rest->total[c] - left[i])));
                }
            }
            leaves.settle(min_leaf, with, without, best, j);
            if constexpr (use == Use::evaluate_both) {
                rest_leaves.settle(min_leaf, rest_with, rest_without, best_rest, j);
            }
        }
        const auto lower = [](T& to, const Lanes<T>& lanes) {
            const T least = least_lane<T>(lanes);
            if (least < to) to = least;
        };
        lower(best.with[i], with);
        lower(best.without[i], without);
        if constexpr (use == Use::evaluate_both) {
            lower(best_rest.with[i], rest_with);
            lower(best_rest.without[i], rest_without);
        }
    }
}

template <typename T, Use use>
void choose_pairs(const PairSet<T>& set, const PairSet<T>* rest, const T* pairs, T* counted,
                  PairBest<T> best, PairBest<T> best_rest) {
    const bool limited = set.min_leaf > 1;
    if (set.classes == 2) {
        if (limited) {
            all_pairs<T, use, true, true>(set, rest, pairs, counted, best, best_rest);
        } else {
            all_pairs<T, use, true, false>(set, rest, pairs, counted, best, best_rest);
        }
    } else if (limited) {
        all_pairs<T, use, false, true>(set, rest, pairs, counted, best, best_rest);
    } else {
        all_pairs<T, use, false, false>(set, rest, pairs, counted, best, best_rest);
    }
}

template <typename T>
void count(const PairSet<T>& set, T* pairs, PairBest<T> best) {
    choose_pairs<T, Use::count>(set, nullptr, nullptr, pairs, best, {});
}

template <typename T>
void evaluate(const PairSet<T>& set, PairBest<T> best) {
    choose_pairs<T, Use::evaluate>(set, nullptr, nullptr, nullptr, best, {});
}

template <typename T>
void evaluate_both(const PairSet<T>& part, const PairSet<T>& rest, const T* pairs,
                   PairBest<T> best_part, PairBest<T> best_rest) {
    choose_pairs<T, Use::evaluate_both>(part, &rest, pairs, nullptr, best_part, best_rest);
}

template <typename T>
void row(const PairSet<T>& set, std::size_t feature, T* out) {
    for (std::size_t c = 0; c < set.classes; ++c) {
        for (std::size_t j = 0; j < set.stride; j += lane_count<T>) {
            Lanes<T> both = broadcast<T>(0);
            for (std::size_t w = set.segment[c]; w < set.segment[c + 1]; ++w) {
                const T* words = set.bits + w * set.stride;
                both = both + ones<T>(broadcast<T>(words[feature]) & load<T>(words + j));
            }
            store<T>(out + c * set.stride + j, both);
        }
    }
}

inline int bit_count(std::uint64_t word) {
#if defined(__GNUC__)
    return __builtin_popcountll(word);
#else
    int count = 0;
    for (; word; word &= word - 1) ++count;
    return count;
#endif
}

template <typename T>
void compress(const std::uint64_t* words, const std::uint64_t* mask, const std::size_t* segment,
              std::size_t classes, std::uint64_t* out, T* ones) {
    for (std::size_t c = 0; c < classes; ++c) {
        std::uint64_t pending = 0;
        int filled = 0;
        int count = 0;
        for (std::size_t w = segment[c]; w < segment[c + 1]; ++w) {
            if (mask[w] == 0) continue;
            const std::uint64_t bits = extract_bits(words[w], mask[w]);
            const int size = bit_count(mask[w]);
            count += bit_count(bits);
            pending |= bits << filled;
            filled += size;
            if (filled >= 64) {
                *out++ = pending;
                filled -= 64;
                pending = filled ? bits >> (size - filled) : 0;
            }
        }
        if (filled) *out++ = pending;
        ones[c] = static_cast<T>(count);
    }
}

template <typename T>
inline constexpr PairKernels<T> kernels{count<T>, evaluate<T>, evaluate_both<T>, row<T>,
                                        compress<T>};

}  // namespace
}  // namespace ramify::optimal::binary
