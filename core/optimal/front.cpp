#include "optimal/front.hpp"

#include <algorithm>
#include <stdexcept>

#include "optimal/extent.hpp"
#include "optimal/searches.hpp"
#include "optimal/solve.hpp"

namespace ramify::optimal {
namespace {

// With more levels, a search of any number of leaves takes too long to be worth its bound.
constexpr int few_levels = 5;
constexpr double infinite = std::numeric_limits<double>::infinity();

class Front {
  public:
    Front(const OptimalProblem& problem, const Limits& limits, const Switches& switches,
          Monitor::Hooks hooks)
        : problem_(problem),
          limits_(tightened(problem, limits)),
          monitor_(limits.seconds, std::move(hooks)),
          seconds_(limits.seconds),
          rounding_(1e-12 * (1.0 + objective_of(problem, limits, {Node{}}))) {
        // Trees deeper than any search are not covered, so nothing about them is proven.
        covered_ = limits_.max_depth <= deepest;
        limits_.max_depth = std::min(limits_.max_depth, deepest);
        solver_ = make_solver(problem_, limits_, switches, monitor_);
    }

    std::vector<Result> run() {
        const std::int64_t most = limits_.max_leaves;
        const std::int64_t full = full_leaves(limits_.max_depth);
        Result all;  // of any number of leaves
        if (limits_.max_depth <= few_levels && most > 2) {
            all = search(problem_.start, full, most < full ? 0.25 : 0.5);
        }
        std::vector<Result> found;
        for (std::int64_t leaves = 1; leaves <= most; ++leaves) {
            if (leaves >= full && !all.nodes.empty() && all.proven) {
                found.push_back(all);
                monitor_.tell();
                return found;
            }
            const double share = 1.0 / static_cast<double>(most - leaves + 1);
            Result next = search(best_start(found, all, leaves), leaves, share);
            next.lower_bound =
                std::min(next.objective, std::max(next.lower_bound, all.lower_bound));
            if (next.objective <= next.lower_bound + rounding_) next.proven = true;
            if (next.proven) next.lower_bound = next.objective;
            found.push_back(std::move(next));
            monitor_.tell();
            // No tree of more leaves is better.
            if (found.back().objective <= all.lower_bound + rounding_) break;
        }
        return found;
    }

  private:
    Result search(const NodeList& start, std::int64_t leaves, double share) {
        const double left = std::max(0.0, seconds_ - monitor_.seconds());
        monitor_.allot(left * share);
        monitor_.forget();
        const Extent extent{limits_.max_depth, leaves};
        Result result = solver_->run({start, extent, covered_ ? infinite : 0.0});
        result.objective = objective_of(problem_, limits_, result.nodes);
        result.proven = result.proven && (covered_ || result.objective <= 0.0);
        result.lower_bound = result.proven ? result.objective : monitor_.lower_bound();
        result.interrupted = monitor_.interrupted();
        result.depth_limit = !result.proven && !covered_ && !monitor_.stopped();
        return result;
    }

    // The better of the trees that are known.
    NodeList best_start(const std::vector<Result>& found, const Result& all,
                        std::int64_t leaves) const {
        NodeList best;
        double least = 0.0;
        const auto offer = [&](const NodeList& tree) {
            Limits within = limits_;
            within.max_leaves = leaves;
            if (tree.empty() || !keeps_limits(problem_, within, tree)) return;
            const double loss = objective_of(problem_, limits_, tree);
            if (!best.empty() && loss >= least) return;
            best = tree;
            least = loss;
        };
        if (!found.empty()) offer(found.back().nodes);
        offer(all.nodes);
        offer(problem_.start);
        return best;
    }

    const OptimalProblem& problem_;
    Limits limits_;
    Monitor monitor_;
    double seconds_;
    double rounding_;
    bool covered_ = true;
    std::unique_ptr<Solver> solver_;
};

}  // namespace

std::vector<Result> solve_front(const OptimalProblem& problem, const Limits& limits,
                                const Switches& switches, Monitor::Hooks hooks) {
    problem.check();
    if (limits.sparsity != 0.0 || limits.upper_bound < std::numeric_limits<double>::infinity()) {
        throw std::invalid_argument("a front has no price of leaves and no upper bound");
    }
    return Front(problem, limits, switches, std::move(hooks)).run();
}

}  // namespace ramify::optimal
