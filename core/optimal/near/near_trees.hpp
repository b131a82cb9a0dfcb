// The search for all trees near the best: the optimum first, then everything within a radius that
// grows in steps, so that a search that is stopped has all trees of a smaller radius. Invariant:
// all trees within `radius` of `best` are there.
#pragma once

#include <memory>
#include <optional>

#include "optimal/near/view.hpp"
#include "optimal/solve.hpp"

namespace ramify::optimal::near {

enum class Stopped : std::uint8_t { nothing, time, interrupt, memory, trees, depth };

class NearTrees {
  public:
    // `epsilon` is in the unit of losses. `max_trees`: the radius shrinks until at most so many
    // trees are within it, or those of one cost are left. Under constraints, the best tree is found
    // elsewhere, and the limits are those of all parts together.
    NearTrees(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
              const Limits& limits, double epsilon, double max_trees, bool idle,
              const Monitor::Hooks& hooks, const Constraints& constraints);

    bool found() const { return found_; }  // whether the best tree was proven in time
    Cost best() const { return best_; }
    Cost radius() const { return radius_; }
    Stopped stopped() const { return stopped_; }
    const NearGraph& graph() const { return *graph_; }
    std::size_t memory() const { return memory_; }
    // The set of all, or a part of it.
    NearView view(Filter filter) const;

  private:
    void grow(double epsilon, double max_trees);
    void shrink(const NearView& all, double max_trees);

    std::unique_ptr<Monitor> monitor_;
    std::unique_ptr<NearGraph> graph_;
    std::size_t memory_;
    bool idle_;
    bool found_ = false;
    Cost best_ = 0;
    Cost radius_ = 0;
    Stopped stopped_ = Stopped::nothing;
};

}  // namespace ramify::optimal::near
