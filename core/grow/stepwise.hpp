// Growth in steps: best-first, a number of expansions at a time. Invariant: the tree after each
// step is the one that grow() gives with that many expansions.
#pragma once

#include <cstdint>
#include <memory>

#include "problem/problem.hpp"
#include "tree/tree.hpp"

namespace ramify {

class Stepwise {
  public:
    virtual ~Stepwise() = default;
    // Grows to this number of expansions in all, or as far as possible.
    virtual void advance(std::int64_t expansions) = 0;
    virtual bool finished() const = 0;  // nothing is left to expand
    virtual Tree tree() const = 0;      // as it is now
};

// Both must outlive it.
std::unique_ptr<Stepwise> grow_stepwise(const Problem& problem, Interrupt& interrupt);

}  // namespace ramify
