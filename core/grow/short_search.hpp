// The best cut of a column at a node of a small subtree. Criteria that have a scan of short columns
// (splits/short_scan.hpp) are searched by it, all others by their walk. Invariant: whichever way is
// taken finds the same cut.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "evaluate/context.hpp"
#include "grow/small_node.hpp"
#include "splits/numeric.hpp"
#include "splits/short_scan.hpp"

namespace ramify {

struct ShortCut {
    std::size_t position = 0;  // entries on the left; 0: there is no cut
    double gain = 0.0;
    double balance = 0.0;  // if that decides ties

    bool found() const { return position > 0; }
};

template <Target P>
class ShortSearch {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    // `samples`: of the rows of nodes to come.
    ShortSearch(const Context<P>& context, const Samples& samples)
        : context_(context), samples_(samples), way_(way_of(context)) {}

    // Before the columns of a node are searched.
    void prepare(const SmallNode& node) {
        const double min_leaf = context_.min_leaf();
        if (way_ == Way::scan) scan_.prepare(node.range.size, min_leaf);
        if (way_ == Way::deviance) deviance_.prepare(node.range.size, min_leaf);
        if (way_ == Way::gini) {
            gini_.prepare(node.range.size, min_leaf, node.stats.sums.data(),
                          context_.problem.classes);
        }
    }
    // The best cut of column c, whose entries are given. Cuts that gain no more than `floor` need
    // not be found.
    ShortCut find(const SmallNode& node, std::size_t c, const Word* entries, double floor,
                  WalkBuffers& buffers) {
        if (context_.branch_limits.monotone())
            return find_allowed(node, c, entries, floor, buffers);
        const NodeStats& stats = node.stats;
        if constexpr (P::classification) {
            if (way_ == Way::gini) return cut_of(gini_.template best<Layout>(entries, tie(stats)));
        } else {
            if (way_ == Way::deviance) {
                return context_.criterion.walk_kind() == WalkKind::poisson
                           ? by_deviance<PoissonDeviance>(stats, entries, floor)
                           : by_deviance<GammaDeviance>(stats, entries, floor);
            }
        }
        if (way_ == Way::scan) {
            return cut_of(
                scan_.template best<Layout>(entries, tie(stats) / scale, off_mean(mean_of(stats))),
                scale);
        }
        return by_walk(node, entries, total_of(stats), buffers);
    }

  private:
    enum class Way { gini, scan, deviance, walk };
    using Found = std::optional<std::pair<std::size_t, double>>;
    // Two-class Gini is twice the variance of the class indicator.
    static constexpr double scale = P::classification ? 2.0 : 1.0;

    // Every column of every node asks for it.
    static Way way_of(const Context<P>& context) {
        if constexpr (P::classification) {
            const WalkKind kind = context.criterion.of_thresholds().walk_kind();
            if (kind != WalkKind::gini || context.balances_ties) return Way::walk;
            if (context.problem.classes == 2) return Way::scan;
            return context.problem.classes > 2 ? Way::gini : Way::walk;
        } else {
            if (context.criterion.walk_kind() == WalkKind::squared_error) return Way::scan;
            return context.by_deviance() ? Way::deviance : Way::walk;
        }
    }
    static double tie(const NodeStats& stats) { return tie_tolerance * stats.impurity; }
    static double mean_of(const NodeStats& stats) { return stats.sums[1] / stats.weight; }
    static ShortCut cut_of(const Found& found, double unit = 1.0) {
        return found ? ShortCut{found->first, unit * found->second} : ShortCut{};
    }
    WalkTotal total_of(const NodeStats& stats) const {
        return context_.total(stats.sums.data(), stats.weight, stats.support, stats.scale);
    }
    // A function from an entry to its target minus the mean. Of two classes, the target is 0 or 1.
    auto off_mean(double mean) const {
        return [this, mean](Word entry) {
            if constexpr (P::classification) {
                return static_cast<double>(Layout::label(entry)) - mean;
            } else {
                return samples_.target[Layout::row(entry)] - mean;
            }
        };
    }

    template <typename Deviance>
    ShortCut by_deviance(const NodeStats& stats, const Word* entries, double floor) {
        const double mean = mean_of(stats);
        return cut_of(deviance_.template best<Deviance, Layout>(entries, mean, tie(stats), floor,
                                                                off_mean(mean)));
    }
    ShortCut by_walk(const SmallNode& node, const Word* entries, const WalkTotal& total,
                     WalkBuffers& buffers) const {
        const Segment<Word> segment{entries, node.range.size, 0, false, nullptr, 0.0};
        const auto walked = context_.walks.walk(total, samples_, buffers, [&](auto& walk) {
            return best_threshold<Layout>(segment, walk);
        });
        if (!walked.found) return {};
        return {walked.found->position, walked.gain, walked.balance};
    }

    // The same among the cuts that the constraints allow, in a function of its own so that it costs
    // nothing where there are none.
    ShortCut find_allowed(const SmallNode& node, std::size_t c, const Word* entries, double floor,
                          WalkBuffers& buffers) {
        const NodeStats& stats = node.stats;
        const CutLimits limits = context_.branch_limits.limits(node.bounds, c, context_.centre)
                                     .over(stats.sums.data(), stats.weight);
        if constexpr (P::classification) {
            if (way_ == Way::gini) return allowed_by_gini(stats, entries, floor, limits);
        }
        if (way_ == Way::scan) return allowed_by_scan(stats, entries, floor, limits);
        WalkTotal total = total_of(stats);
        total.limits = &limits;
        return by_walk(node, entries, total, buffers);
    }
    ShortCut allowed_by_gini(const NodeStats& stats, const Word* entries, double floor,
                             const CutLimits& limits) {
        const auto allowed = [&](std::size_t size, auto&& count) {
            return limits.allow(static_cast<double>(size), [&](std::uint32_t place) {
                return static_cast<double>(count(place));
            });
        };
        return cut_of(gini_.template best_allowed<Layout>(entries, tie(stats), floor,
                                                          limits.outputs, allowed));
    }
    ShortCut allowed_by_scan(const NodeStats& stats, const Word* entries, double floor,
                             const CutLimits& limits) {
        const double mean = mean_of(stats);
        const ExcessLimits excess(limits, limits.outputs[0] == 0);
        const auto allowed = [&](std::size_t size, double sum) {
            const auto rows = static_cast<double>(size);
            if (excess.usable() && excess.bar(rows, rows, sum, sum)) return false;
            const double left =
                P::classification ? std::round(sum + mean * rows) : sum + mean * rows;
            return limits.allow(rows, [&](std::size_t place) {
                return P::classification && place == 0 ? rows - left : left;
            });
        };
        return cut_of(scan_.template best_allowed<Layout>(entries, tie(stats) / scale,
                                                          floor / scale, off_mean(mean), allowed),
                      scale);
    }

    const Context<P>& context_;
    const Samples& samples_;
    Way way_;
    ShortScan<most_small_rows> scan_;
    ShortGini<most_small_rows> gini_;
    ShortDeviance<most_small_rows> deviance_;
};

}  // namespace ramify
