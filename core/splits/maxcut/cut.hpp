// A cut of a complete weighted graph: every vertex is placed on side 0 or side 1, or not yet.
// Invariant: weights are symmetric and not negative, and no vertex pulls itself.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramify {

using CutSide = std::uint8_t;
inline constexpr CutSide unplaced = 2;

template <typename C>
concept Cut = requires(C cut, const C fixed, std::size_t i, CutSide side) {
    { fixed.size() } -> std::same_as<std::size_t>;
    { fixed.total() } -> std::same_as<double>;     // weight of all edges
    { fixed.rounding() } -> std::same_as<double>;  // the error of a gain
    { fixed.weight(i, i) } -> std::same_as<double>;
    { fixed.at_most(i, i) } -> std::same_as<double>;  // a cheap upper bound of weight(i, j)
    { fixed.pull(i, side) } -> std::same_as<double>;  // weight of the edges from i to that side
    { fixed.side(i) } -> std::same_as<CutSide>;
    cut.place(i, side);                              // an unplaced vertex
    cut.flip(i);                                     // a placed one
    cut.clear();                                     // all unplaced
    { fixed.steps() } -> std::same_as<std::size_t>;  // of a weight or a pull, as work is counted
};

// What the weight of the cut gains if i changes sides.
template <Cut C>
double gain_of_move(const C& cut, std::size_t i) {
    const CutSide side = cut.side(i);
    return cut.pull(i, side) - cut.pull(i, side ^ 1);
}

template <Cut C>
double cut_weight(const C& cut) {
    double sum = 0.0;
    for (std::size_t i = 0; i < cut.size(); ++i) {
        if (cut.side(i) == 0) sum += cut.pull(i, 1);
    }
    return sum;
}

template <Cut C>
std::vector<CutSide> sides_of(const C& cut) {
    std::vector<CutSide> sides(cut.size());
    for (std::size_t i = 0; i < sides.size(); ++i) sides[i] = cut.side(i);
    return sides;
}

template <Cut C>
void place_all(C& cut, const std::vector<CutSide>& sides) {
    cut.clear();
    for (std::size_t i = 0; i < sides.size(); ++i) cut.place(i, sides[i]);
}

}  // namespace ramify
