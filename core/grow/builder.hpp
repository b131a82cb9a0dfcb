// Collects the nodes of a growing tree in any order, and numbers them at the end.
// Invariant: the children of a node are added together and stay consecutive.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "grow/parameters.hpp"
#include "grow/samples.hpp"
#include "support/interrupt.hpp"
#include "tree/tree.hpp"

namespace ramify {

struct BuiltCondition {
    ConditionKind kind = ConditionKind::leaf;
    std::int32_t attribute = -1;
    std::int32_t missing_to = -1;
    double threshold = 0.0;
    double gain = 0.0;
    std::vector<std::pair<std::int32_t, std::int32_t>> levels;  // code, branch
};

struct BuiltNode {
    std::int32_t parent = -1;
    std::int32_t first_child = -1;
    std::int32_t n_children = 0;
    std::int32_t depth = 0;
    ConditionKind kind = ConditionKind::leaf;
    std::int32_t attribute = -1;
    std::int32_t missing_to = -1;
    std::int32_t expansion = -1;
    std::int32_t side = -1;  // index of its level list and competitors, if it has any
    double threshold = 0.0;
    double gain = 0.0;
    double proportion = 1.0;
    double weight = 0.0;
    double impurity = 0.0;
    double prediction = 0.0;
    std::int64_t rows = 0;
};

// What few nodes have.
struct BuiltSide {
    std::vector<std::pair<std::int32_t, std::int32_t>> levels;
    std::vector<BuiltCondition> competitors;
};

class Builder {
  public:
    explicit Builder(std::size_t width) : width_(width) {}

    std::int32_t add(const NodeStats& stats, std::int32_t parent, std::int32_t depth);
    BuiltNode& node(std::int32_t id) { return nodes_[static_cast<std::size_t>(id)]; }
    BuiltSide& side(std::int32_t id);
    std::size_t size() const { return nodes_.size(); }

    // Puts a subtree grown elsewhere in the place of a leaf of this one.
    void graft(std::int32_t leaf, Builder&& subtree);

    // Numbers expansions in the order of growth, and nodes in the order in which that creates them.
    // `centre` is what was taken off the targets.
    TreeArrays finish(Growth growth, bool classification, double centre, Interrupt& interrupt);

  private:
    std::size_t width_;
    std::vector<BuiltNode> nodes_;
    std::vector<double> values_;
    std::vector<BuiltSide> sides_;
};

}  // namespace ramify
