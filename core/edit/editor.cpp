#include "edit/editor.hpp"

#include <algorithm>
#include <utility>

#include "columns/forms.hpp"
#include "edit/curve.hpp"
#include "edit/node_problem.hpp"
#include "grow/grow.hpp"
#include "grow/planner.hpp"

namespace ramify {
namespace {

// Columns that are in both sets; an empty set has all.
ColumnSet both(const ColumnSet& one, const ColumnSet& other) {
    if (one.empty()) return other;
    if (other.empty()) return one;
    ColumnSet set(one.size());
    for (std::size_t c = 0; c < set.size(); ++c) set[c] = one[c] && other[c];
    return set;
}

Constraints without_skeleton(const Problem& problem) {
    if (problem.constraints == nullptr) return {};
    return {problem.constraints->groups, problem.constraints->columns, {}};
}

}  // namespace

TreeEditor::TreeEditor(const Problem& problem, HeldOutRows held_out, Unseen unseen)
    : problem_(problem),
      held_out_(std::move(held_out)),
      unseen_(unseen),
      divider_(problem_, held_out_, unseen),
      constraints_(without_skeleton(problem)) {
    problem_.constraints = nullptr;
    // The caller's own criterion may be called from one thread only.
    if (!problem_.criterion->thread_safe()) problem_.parameters.threads = 1;
}

Edited TreeEditor::finish(const EditedTree* before, std::size_t node, EditNode branch,
                          std::vector<std::uint8_t> passed_over, Interrupt& interrupt) const {
    SharedNode root = before == nullptr ? std::make_shared<const EditNode>(std::move(branch))
                                        : before->with(node, std::move(branch));
    return {std::make_shared<const EditedTree>(std::move(root), problem_, interrupt),
            std::move(passed_over)};
}

Edited TreeEditor::open(const Tree& tree, Interrupt& interrupt) const {
    EditNode root;
    root.rows = divider_.all_rows();
    root.numbers = divider_.numbers(*root.rows.grown, interrupt);
    std::vector<std::uint8_t> passed_over;
    root = make_branch(divider_, demand_of(tree, problem_.table), std::move(root), passed_over,
                       problem_.parameters.threads, interrupt);
    const bool as_grown = take_over(root, tree);
    Edited edited = finish(nullptr, 0, std::move(root), std::move(passed_over), interrupt);
    edited.as_grown = as_grown;
    return edited;
}

// The node as a leaf, with its rows.
EditNode TreeEditor::bare(const EditedTree& tree, std::size_t node) const {
    EditNode bare;
    bare.numbers = tree[node].numbers;
    const std::size_t rows = problem_.table.rows();
    bare.rows.grown = tree.rows(node, &LeafRows::grown, rows);
    bare.rows.walked = bare.rows.grown;
    const auto leaves = tree.leaves(node);
    const bool apart = std::any_of(leaves.begin(), leaves.end(), [&](std::int32_t leaf) {
        const LeafRows& of = tree[static_cast<std::size_t>(leaf)].rows;
        return of.walked != of.grown;
    });
    // Rows that are divided only below the node walk to it as they were grown.
    if (apart && !bare.rows.grown->divided.empty())
        bare.rows.walked = tree.rows(node, &LeafRows::walked, rows);
    bare.rows.held_out = tree.rows(node, &LeafRows::held_out, held_out_.rows);
    return bare;
}

Edited TreeEditor::replace(const EditedTree& tree, std::size_t node, const Demand& demand,
                           Interrupt& interrupt) const {
    std::vector<std::uint8_t> passed_over;
    EditNode branch = make_branch(divider_, demand, bare(tree, node), passed_over,
                                  problem_.parameters.threads, interrupt);
    return finish(&tree, node, std::move(branch), std::move(passed_over), interrupt);
}

Edited TreeEditor::replace(const EditedTree& tree, std::size_t node, const Tree& grown,
                           Interrupt& interrupt) const {
    std::vector<std::uint8_t> passed_over;
    EditNode branch = make_branch(divider_, demand_of(grown, problem_.table), bare(tree, node),
                                  passed_over, problem_.parameters.threads, interrupt);
    const bool as_grown = take_over(branch, grown);
    Edited edited = finish(&tree, node, std::move(branch), std::move(passed_over), interrupt);
    edited.as_grown = as_grown;
    return edited;
}

std::shared_ptr<const EditedTree> TreeEditor::tag(const EditedTree& tree,
                                                  std::span<const std::int64_t> nodes,
                                                  std::span<const std::int64_t> tags,
                                                  Interrupt& interrupt) const {
    std::shared_ptr<const EditedTree> tagged;
    const EditedTree* now = &tree;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto node = static_cast<std::size_t>(nodes[i]);
        EditNode branch = (*now)[node];
        branch.tag = tags[i];
        // The order of the nodes does not depend on their tags.
        tagged = std::make_shared<const EditedTree>(now->with(node, std::move(branch)), problem_,
                                                    interrupt);
        now = tagged.get();
    }
    return tagged;
}

// What the way from the root leaves a node.
NodePlan TreeEditor::plan(const EditedTree& tree, std::size_t node,
                          const Constraints& constraints) const {
    Problem laid_down = problem_;
    laid_down.constraints = &constraints;
    const Planner planner(laid_down);
    const TreeArrays& arrays = tree.tree().arrays();
    std::vector<std::size_t> way;
    for (std::size_t at = node; arrays.parent[at] >= 0;
         at = static_cast<std::size_t>(arrays.parent[at]))
        way.push_back(at);
    NodePlan plan = planner.root();
    for (auto at = way.rbegin(); at != way.rend(); ++at) {
        const auto parent = static_cast<std::size_t>(arrays.parent[*at]);
        plan = planner.branch(plan, arrays.attribute[parent],
                              *at - static_cast<std::size_t>(arrays.first_child[parent]));
    }
    return plan;
}

Tree TreeEditor::candidates(const EditedTree& tree, std::size_t node, const SearchLimits& limits,
                            Selection selection, Interrupt& interrupt) {
    Constraints constraints = constraints_;
    constraints.columns = both(constraints.columns, limits.columns);
    const auto prepare = [&](Problem& problem, Beginning& beginning) {
        GrowParameters& parameters = problem.parameters;
        lift_limits(parameters);
        parameters.max_depth = 1;
        parameters.competitor_depth = 1;
        parameters.growth = Growth::depth_first;
        parameters.selection = selection;
        parameters.bonferroni = false;
        beginning.plan = plan(tree, node, constraints);
        beginning.bounds = limits.bounds;
        if (limits.bounds.empty()) {
            parameters.monotone.clear();
            parameters.monotone_class.clear();
        }
        problem.constraints = &constraints;
        problem.beginning = &beginning;
    };
    const SharedRows rows = tree.rows(node, &LeafRows::grown, problem_.table.rows());
    // The order of a whole column need not be found again.
    constexpr std::size_t share = 3;
    if (rows->size() * share < problem_.table.rows()) {
        NodeProblem alone(problem_, *rows, divider_.grain_rows());
        alone.take_columns(problem_.parameters.threads, interrupt);
        Problem problem = alone.problem();
        prepare(problem, alone.beginning);
        return ramify::grow(problem, interrupt);
    }
    Problem problem = problem_;
    Beginning beginning;
    beginning.equal_weights = problem_.weights.empty();
    beginning.grain_rows = divider_.grain_rows();
    beginning.divides = has_missing(problem_.table);
    prepare(problem, beginning);
    std::vector<std::uint8_t> included;
    std::vector<double> weights, fractions;
    if (rows->size() < problem.table.rows()) {
        included.assign(problem.table.rows(), 0);
        for (const std::uint32_t row : rows->whole) included[row] = 1;
        for (const std::uint32_t row : rows->divided) included[row] = 1;
        problem.included = included;
    }
    if (!rows->divided.empty()) {
        fractions.assign(problem.table.rows(), 1.0);
        weights.assign(problem.table.rows(), 1.0);
        if (!problem_.weights.empty())
            weights.assign(problem_.weights.begin(), problem_.weights.end());
        for (std::size_t i = 0; i < rows->divided.size(); ++i) {
            fractions[rows->divided[i]] = rows->part[i];
            weights[rows->divided[i]] *= rows->part[i];
        }
        problem.weights = weights;
        problem.fractions = fractions;
    }
    const bool weighted = has_weights(problem);
    std::optional<ColumnForms>& forms = forms_[weighted ? 1 : 0];
    if (!forms) forms = forms_of(problem, weighted);
    problem.forms = &*forms;
    return ramify::grow(problem, interrupt);
}

Tree TreeEditor::grow(const EditedTree& tree, std::size_t node, const SearchLimits& limits,
                      std::optional<std::int64_t> max_depth, std::optional<std::int64_t> max_leaves,
                      Interrupt& interrupt) const {
    Constraints constraints = constraints_;
    constraints.columns = both(constraints.columns, limits.columns);
    const SharedRows rows = tree.rows(node, &LeafRows::grown, problem_.table.rows());
    NodeProblem alone(problem_, *rows, divider_.grain_rows());
    alone.take_columns(problem_.parameters.threads, interrupt);
    Problem problem = alone.problem();
    GrowParameters& parameters = problem.parameters;
    alone.beginning.depth = tree.tree().arrays().depth[node];
    alone.beginning.plan = plan(tree, node, constraints);
    alone.beginning.bounds = limits.bounds;
    alone.beginning.all_weight = tree.tree().arrays().weight[0];
    if (max_depth) parameters.max_depth = alone.beginning.depth + *max_depth;
    if (max_leaves) parameters.max_leaves = *max_leaves;
    parameters.max_expansions = GrowParameters{}.max_expansions;
    parameters.competitor_depth = alone.beginning.depth + GrowParameters{}.competitor_depth;
    if (limits.bounds.empty()) {
        parameters.monotone.clear();
        parameters.monotone_class.clear();
    }
    problem.constraints = &constraints;
    return ramify::grow(problem, interrupt);
}

std::vector<Effect> TreeEditor::effects(const EditedTree& tree, std::size_t node,
                                        const std::vector<SkeletonNode>& asked,
                                        Interrupt& interrupt) const {
    return ramify::effects(problem_, held_out_, unseen_,
                           *tree.rows(node, &LeafRows::grown, problem_.table.rows()),
                           *tree.rows(node, &LeafRows::held_out, held_out_.rows), asked, interrupt);
}

std::vector<double> TreeEditor::gains(const EditedTree& tree, std::size_t node, std::size_t column,
                                      std::span<const double> thresholds,
                                      Interrupt& interrupt) const {
    return threshold_gains(problem_, *tree.rows(node, &LeafRows::grown, problem_.table.rows()),
                           column, thresholds, interrupt);
}

}  // namespace ramify
