// How different groups of rows are in their target: Pearson's chi-square or the likelihood ratio of
// classes, Fisher's F of numbers. Invariant: weights count as repeated rows, and N is their sum.
// Groups and classes without weight are ignored. Where nothing can differ, p is 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "support/choices.hpp"

namespace ramify {

enum class GroupTest : std::uint8_t { pearson, likelihood_ratio, f };
template <>
inline constexpr auto names_of<GroupTest> = list_names("pearson", "likelihood_ratio", "f");

// The logarithm of p, never infinite. A group is the weight of each class, or for the F test the
// weight, the sum and the sum of squares of the target.
double log_p_of_groups(std::span<const double* const> groups, std::size_t width, GroupTest test);

}  // namespace ramify
