// The inner loops of the depth-two solver, compiled once for every instruction set that helps. They
// count, for all pairs of features of a set of rows, how many rows of each class have both, and
// compute the loss of the four leaves that a pair of splits makes. Invariant: every kernel gives
// the same numbers, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ramify::optimal::binary {

// A set of rows, in words of as many bits as T has: bit b of bits[w * stride + f] tells whether the
// row has feature f. Rows of a class are together, and its words are segment[c] .. segment[c + 1].
template <typename T>
struct PairSet {
    std::size_t features = 0;
    std::size_t stride = 0;  // features, rounded up to whole vectors
    std::size_t classes = 0;
    const T* bits = nullptr;
    const std::size_t* segment = nullptr;
    const T* single = nullptr;  // classes x stride: rows that have the feature
    const T* total = nullptr;   // classes: rows
    T min_leaf = 1;
    // The range of the first feature of the pairs. Large sets are done in steps; the first starts
    // at 0.
    std::size_t from = 0;
    std::size_t to = 0;
};

// For every feature: the least loss of the branch that has it, and of the branch that has not,
// after one more split each. The largest number if no split is allowed.
template <typename T>
struct PairBest {
    T* with = nullptr;
    T* without = nullptr;
};

template <typename T>
struct PairKernels {
    // Counts all pairs into `pairs` (classes x features x stride; the second feature starts at the
    // vector of the first) and evaluates them.
    void (*count)(const PairSet<T>& set, T* pairs, PairBest<T> best);
    void (*evaluate)(const PairSet<T>& set, PairBest<T> best);
    // Evaluates `part` and the rest of the set whose pairs were counted. Only `single` and `total`
    // of `rest` are read.
    void (*evaluate_both)(const PairSet<T>& part, const PairSet<T>& rest, const T* pairs,
                          PairBest<T> best_part, PairBest<T> best_rest);
    // The rows of each class that have `feature` and each other feature: classes x stride.
    void (*row)(const PairSet<T>& set, std::size_t feature, T* out);
    // Packs the bits of `words` under `mask` class by class; each class begins with a new word, and
    // `segment` gives its words. `ones` gets the number of ones of each class.
    void (*compress)(const std::uint64_t* words, const std::uint64_t* mask,
                     const std::size_t* segment, std::size_t classes, std::uint64_t* out, T* ones);
};

// The kernels for the best instruction set of this machine, up to a level (see Switches).
template <typename T>
const PairKernels<T>& pair_kernels(int level);

extern template const PairKernels<std::uint16_t>& pair_kernels(int level);
extern template const PairKernels<std::uint32_t>& pair_kernels(int level);

}  // namespace ramify::optimal::binary
