#include "optimal/near/near_trees.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "optimal/extent.hpp"

namespace ramify::optimal::near {

NearTrees::NearTrees(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
                     const Limits& limits, double epsilon, double max_trees, bool idle,
                     const Monitor::Hooks& hooks, const Constraints& constraints)
    : memory_(limits.memory), idle_(idle) {
    const Monitor clock(limits.seconds, {});
    Result best;
    if (constraints.any()) {
        best.proven = true;
        best.objective = constraints.best;
    } else {
        best = solve(problem, limits, Switches{}, hooks);
    }
    if (!best.proven) {
        stopped_ = best.interrupted   ? Stopped::interrupt
                   : best.depth_limit ? Stopped::depth
                                      : Stopped::time;
        return;
    }
    const double before = clock.seconds();
    Monitor::Hooks later{hooks.interrupted, {}};
    if (hooks.progress) {
        later.progress = [tell = hooks.progress, before](const Moment& moment) {
            tell({before + moment.seconds, moment.objective, moment.bound});
        };
    }
    monitor_ = std::make_unique<Monitor>(std::max(0.0, limits.seconds - before), std::move(later));
    monitor_->improve(best.objective);
    monitor_->bound(best.objective);
    Limits tight = tightened(problem, limits);
    tight.upper_bound = std::numeric_limits<double>::infinity();
    Constraints kept = constraints;
    // The conditions that are laid down stay, whatever the limit.
    if (!kept.laid.empty())
        tight.max_leaves = std::min(limits.max_leaves, static_cast<std::int64_t>(problem.rows));
    constexpr double rounding = 1e-9;
    const double dearest = (best.objective + epsilon) * (1.0 + rounding);
    const auto shallow = [&](int& depth) {
        if (tight.sparsity > 0.0 && dearest / tight.sparsity < depth + 1.0)
            depth = std::max(0, static_cast<int>(dearest / tight.sparsity) - 1);
        if (depth <= deepest) return;
        throw std::invalid_argument("the near-best trees may be " + std::to_string(depth) +
                                    " levels deep; give a max_depth of at most " +
                                    std::to_string(deepest));
    };
    if (kept.laid.empty()) shallow(tight.max_depth);
    for (LaidPart& part : kept.laid) {
        if (part.kind == LaidPart::Kind::branch) shallow(part.depth);
    }
    try {
        graph_ = std::make_unique<NearGraph>(problem, columns, tight, Switches{}, *monitor_, kept);
        const Cost at_most = graph_->table().fixed(best.objective) + graph_->slack();
        graph_->expand(at_most);
        const NearView view(*graph_, {{}, -1, tight.max_leaves, at_most, idle_}, memory_);
        if (view.buckets().empty()) throw std::logic_error("the best tree is not among the near");
        best_ = view.buckets().front().cost;
        found_ = true;
        grow(epsilon, max_trees);
    } catch (const Full&) {
        stopped_ = Stopped::memory;
    } catch (const Halt&) {
        stopped_ = monitor_->interrupted() ? Stopped::interrupt : Stopped::time;
    }
    monitor_->end_search();
}

void NearTrees::grow(double epsilon, double max_trees) {
    constexpr double rounding = 1e-9;
    const double most = std::min(epsilon * (1.0 + rounding) * graph_->table().scale,
                                 std::exp2(60));  // no sum of costs overflows
    for (const double part : {0.0, 0.25, 0.5, 1.0}) {
        const Cost radius = static_cast<Cost>(most * part) + graph_->slack();
        try {
            graph_->expand(best_ + radius);
            const NearView all(*graph_, {{}, -1, graph_->max_leaves(), best_ + radius, idle_},
                               memory_);
            radius_ = radius;
            if (static_cast<double>(all.count()) > max_trees) {
                shrink(all, max_trees);
                return;
            }
        } catch (const std::overflow_error&) {
            stopped_ = Stopped::trees;
            return;
        }
    }
}

// Keeps the costs whose trees are at most so many, but at least those of the least cost.
void NearTrees::shrink(const NearView& all, double max_trees) {
    stopped_ = Stopped::trees;
    double count = 0.0;
    Cost last = best_ + graph_->slack(), at = best_;
    for (const Bucket& bucket : all.buckets()) {
        if (bucket.cost != at) {
            if (count > max_trees) break;
            last = at;
            at = bucket.cost;
        }
        count += static_cast<double>(bucket.count);
    }
    radius_ = std::max(last, best_) - best_;
}

NearView NearTrees::view(Filter filter) const {
    filter.idle = idle_;
    filter.most = std::min(filter.most, best_ + radius_);
    return {*graph_, std::move(filter), memory_};
}

}  // namespace ramify::optimal::near
