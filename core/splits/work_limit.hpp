// How much a search may do at one node before it gives the best partition found so far. Invariant:
// work is counted in steps, never in seconds, so that results do not depend on the machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ramify {

// A step adds or compares the weight of one class: about a nanosecond. This is half a second.
inline constexpr std::uint64_t most_steps = std::uint64_t{1} << 29;
// A principal component of more steps is approximated, since a tree has many nodes.
inline constexpr double most_component_steps = 0x1p26;

// How often `size` steps (of each class, say) are within the limit; at least once.
inline std::uint64_t times_within(std::uint64_t steps, std::size_t size) {
    return std::max<std::uint64_t>(1, steps / std::max<std::size_t>(1, size));
}

}  // namespace ramify
