// Collects the nodes of a growing tree in any order, and numbers them at the end.
// Invariant: the children of a node are added together and stay consecutive.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "node/built_condition.hpp"
#include "node/parameters.hpp"
#include "node/stats.hpp"
#include "support/interrupt.hpp"
#include "tree/tree.hpp"

namespace ramify {

// What only few nodes have.
struct BuiltSide {
    std::vector<std::pair<std::int32_t, std::int32_t>> levels;
    std::vector<BuiltCondition> competitors;
};

class Builder {
  public:
    // `keeps_spreads`: the impurity is not the variance of the targets, so their spread is kept
    // too. Memory for `expected` nodes is reserved; it costs nothing until it is written. `used`:
    // an earlier tree whose memory is reused.
    Builder(Task task, std::size_t width, bool keeps_spreads, std::size_t expected,
            TreeArrays* used = nullptr);

    std::int32_t add(const NodeStats& stats, std::int32_t parent, std::int32_t depth,
                     double proportion);
    // Makes a node internal. The levels of the condition go to side().
    void set_condition(std::int32_t id, const BuiltCondition& condition);
    // Of a leaf that a test stopped: the smallest p-value there was.
    void set_log_p(std::int32_t id, double log_p) {
        nodes_.log_p[static_cast<std::size_t>(id)] = log_p;
    }
    void set_children(std::int32_t id, std::int32_t first, std::size_t count);
    BuiltSide& side(std::int32_t id);

    // Replaces leaves of this tree by subtrees that were grown separately.
    struct Graft {
        std::int32_t leaf;
        std::unique_ptr<Builder> subtree;
    };
    void graft(std::vector<Graft>& grafts, int threads);
    // Replaces a leaf by a finished tree, whose root has the same rows.
    void graft(std::int32_t leaf, const TreeArrays& subtree);
    // Makes leaves of the nodes that best-first growth would not have expanded within the limits.
    void limit(const GrowParameters& parameters, Interrupt& interrupt);

    // Numbers expansions in the order of growth, and nodes in the order in which these create them.
    TreeArrays finish(const GrowParameters& parameters, int threads, Interrupt& interrupt);

  private:
    std::size_t size() const { return nodes_.parent.size(); }
    bool is_leaf(std::size_t i) const {
        return nodes_.kind[i] == static_cast<std::uint8_t>(ConditionKind::leaf);
    }
    void graft_one(Graft& graft, std::size_t end, std::size_t side_end);
    RawVector<std::int32_t> expand_in_order(const GrowParameters& parameters, Interrupt& interrupt);
    void put_in_order(const RawVector<std::int32_t>& order, int threads, Interrupt& interrupt);
    void write_sides();

    Task task_;
    std::size_t width_;
    std::size_t spreads_;         // per node
    bool recycles_;               // the memory will serve further trees
    TreeArrays nodes_;            // levels and competitors are written at the end
    RawVector<std::int32_t> at_;  // per node, where its side is; negative: it has none
    std::vector<BuiltSide> sides_;
};

}  // namespace ramify
