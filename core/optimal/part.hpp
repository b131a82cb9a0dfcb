// A part of a problem: some of its rows, and some of its columns. Invariant: columns keep their
// numbers, so that a tree of the part is a tree of the whole; a column that is left out is constant
// and splits nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimal/problem.hpp"

namespace ramify::optimal {

class Part {
  public:
    // `rows` ascend. `wanted`: by column, whether it may be asked; empty: all may. Throws
    // std::invalid_argument if they do not fit.
    Part(const OptimalProblem& whole, std::span<const std::int32_t> rows,
         std::span<const std::uint8_t> wanted);
    Part(const Part&) = delete;

    const OptimalProblem& problem() const { return problem_; }

  private:
    void take_target(const OptimalProblem& whole, std::span<const std::int32_t> rows);
    void take_columns(const OptimalProblem& whole, std::span<const std::int32_t> rows,
                      std::span<const std::uint8_t> wanted);

    OptimalProblem problem_;
    std::vector<std::int32_t> labels_;
    std::vector<double> target_, weights_;
    std::vector<std::vector<std::int32_t>> codes_;
    std::vector<std::vector<std::uint64_t>> bits_;
};

}  // namespace ramify::optimal
