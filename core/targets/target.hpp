// A target: what a row adds to the sums of a node, a class or a number, each with or without
// weights. It is fixed at compile time so that the inner loops decide nothing. Invariant: the sums
// of a node are the sums of what its rows add, in any order.
#pragma once

#include <concepts>
#include <cstdint>
#include <numeric>
#include <type_traits>

#include "targets/samples.hpp"

namespace ramify {

// What classes and numbers share: how rows weigh.
template <typename Layout_, bool weighted_>
struct WeighedRows {
    using Layout = Layout_;  // of the entries of a column, see node/entry.hpp
    using Word = typename Layout::Word;
    static constexpr bool weighted = weighted_;
    // A cell in the contingency table of a coded column: a count of rows, or a sum of weights.
    using Cell = std::conditional_t<weighted, double, std::uint32_t>;

    static double weight(const Samples& samples, Word entry) {
        if constexpr (weighted) return samples.weight[Layout::row(entry)];
        return 1.0;
    }
    static double support(const Samples& samples, Word entry) {
        if constexpr (weighted) return samples.support[Layout::row(entry)];
        return 1.0;
    }
};

template <typename P>
concept Target = requires(const Samples& samples, typename P::Word entry, double* sums) {
    typename P::Layout;
    typename P::Cell;
    { P::weighted } -> std::convertible_to<bool>;
    { P::classification } -> std::convertible_to<bool>;
    P::add(samples, entry, sums);
    { P::weight_of(sums, samples.width()) } -> std::convertible_to<double>;
};

}  // namespace ramify
