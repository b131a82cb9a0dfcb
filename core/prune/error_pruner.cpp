#include "prune/error_pruner.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ramify {
namespace {

// As in J48: two errors that differ by less are equal.
constexpr double rounding = 1e-6;
// How much worse a leaf may be than the subtree: in errors on the training rows, and in expected
// errors.
constexpr double collapse_slack = 1e-3;
constexpr double prune_slack = 0.1;

bool at_most(double a, double b) {
    return a - b < rounding;
}

double checked(const Tree& tree, double confidence) {
    if (tree.task() != Task::classification) {
        throw std::invalid_argument("error-based pruning counts errors: it needs classes");
    }
    if (!(confidence > 0.0 && confidence <= 0.5)) {
        throw std::invalid_argument("confidence must be above 0 and at most 0.5");
    }
    return confidence;
}

// A node whose branches are being pruned one after the other.
struct Visit {
    std::int32_t node;
    NodeParts parts{};
    std::vector<NodeParts> branches{};
    std::size_t next = 0;
};

using Work = std::vector<std::pair<std::int32_t, NodeParts>>;

}  // namespace

ErrorPruner::ErrorPruner(const Tree& tree, const ErrorBasedOptions& options)
    : costs_(options.costs),
      limit_(checked(tree, options.confidence)),
      tree_(tree),
      expected_(tree.size(), 0.0) {
    if (!costs_.empty()) largest_cost_ = *std::max_element(costs_.begin(), costs_.end());
    collapse();
}

double ErrorPruner::errors(std::span<const double> value) const {
    const std::size_t classes = value.size();
    const std::size_t label = ramify::decide(value.data(), classes, costs_);
    double sum = 0.0;
    for (std::size_t j = 0; j < classes; ++j) {
        if (costs_.empty()) {
            sum += j == label ? 0.0 : value[j];
        } else if (largest_cost_ > 0.0) {
            const std::size_t answers = answers_of(classes, costs_);
            sum += value[j] * (costs_[j * answers + label] / largest_cost_);
        }
    }
    return sum;
}

double ErrorPruner::expected(std::span<const double> value) const {
    const double cases = std::accumulate(value.begin(), value.end(), 0.0);
    if (cases < rounding) return 0.0;
    const double wrong = errors(value);
    return wrong + limit_.added(cases, wrong);
}

// The errors expected below `branch` if it took over these rows.
double ErrorPruner::expected_through(std::int32_t branch, const NodeParts& parts,
                                     RowDivider& divider, Interrupt& interrupt) const {
    double sum = 0.0;
    Work work{{branch, parts}};
    while (!work.empty()) {
        const auto [node, rows] = std::move(work.back());
        work.pop_back();
        if (tree_.leaf(node)) {
            sum += expected(divider.class_weights(rows.parts));
            continue;
        }
        interrupt.poll();
        const Division division = divider.divide(node, rows);
        const auto& children = tree_[node].children;
        for (std::size_t b = children.size(); b < division.branches.size(); ++b) {
            sum += expected(divider.class_weights(division.branches[b].parts));
        }
        for (std::size_t b = children.size(); b-- > 0;) {
            work.emplace_back(children[b], division.branches[b]);
        }
    }
    return sum;
}

void ErrorPruner::redistribute(std::int32_t top, const NodeParts& parts, RowDivider& divider,
                               const Criterion& criterion) {
    Work work{{top, parts}};
    while (!work.empty()) {
        const auto [node, rows] = std::move(work.back());
        work.pop_back();
        tree_.set_rows(node, static_cast<std::int64_t>(rows.parts.size()),
                       divider.class_weights(rows.parts), criterion);
        if (tree_.leaf(node)) continue;
        const Division division = divider.divide(node, rows);
        for (const std::int32_t level : division.new_levels) tree_.add_branch(node, level);
        for (std::size_t b = 0; b < division.branches.size(); ++b) {
            const std::int32_t child = tree_[node].children[b];
            tree_.set_proportion(child, division.proportions[b]);
            work.emplace_back(child, division.branches[b]);
        }
    }
}

// The last of equals, as in J48.
std::int32_t ErrorPruner::heaviest(std::int32_t node) const {
    std::int32_t found = tree_[node].children.front();
    for (const std::int32_t child : tree_[node].children) {
        if (at_most(tree_.weight(found), tree_.weight(child))) found = child;
    }
    return found;
}

// Top-down: a subtree that makes as many errors on the training rows as a leaf becomes a leaf.
void ErrorPruner::collapse() {
    const std::size_t size = tree_.size();
    std::vector<double> below(size, 0.0);
    for (std::size_t i = size; i-- > 0;) {
        const auto node = static_cast<std::int32_t>(i);
        if (tree_.leaf(node)) below[i] = errors(tree_.value(node));
        for (const std::int32_t child : tree_[node].children)
            below[i] += below[static_cast<std::size_t>(child)];
    }
    for (std::size_t i = 0; i < size; ++i) {
        const auto node = static_cast<std::int32_t>(i);
        if (!tree_.forced(node) && below[i] >= errors(tree_.value(node)) - collapse_slack)
            tree_.retire(node);
    }
}

ErrorPruner::Outcome ErrorPruner::decide(std::int32_t node, double raised) {
    expected_.resize(tree_.size(), 0.0);
    double& below = expected_[static_cast<std::size_t>(node)];
    below = 0.0;
    for (const std::int32_t child : tree_[node].children) {
        below += tree_.leaf(child) ? expected(tree_.value(child))
                                   : expected_[static_cast<std::size_t>(child)];
    }
    if (tree_.forced(node)) return Outcome::kept;
    const double leaf = expected(tree_.value(node));
    if (at_most(leaf, below + prune_slack) && at_most(leaf, raised + prune_slack)) {
        tree_.retire(node);
        return Outcome::leaf;
    }
    if (!at_most(raised, below + prune_slack)) return Outcome::kept;
    tree_.raise(node, heaviest(node));
    return Outcome::raised;
}

void ErrorPruner::prune(std::int32_t top, const NodeParts& parts, RowDivider* divider,
                        const Criterion& criterion, Interrupt& interrupt) {
    std::vector<Visit> path;
    path.push_back({top, parts});
    while (!path.empty()) {
        interrupt.poll();
        Visit& visit = path.back();
        if (tree_.leaf(visit.node)) {
            path.pop_back();
            continue;
        }
        const auto& children = tree_[visit.node].children;
        if (visit.next == 0 && divider != nullptr) {
            visit.branches = divider->divide(visit.node, visit.parts).branches;
        }
        while (visit.next < children.size() && tree_.leaf(children[visit.next])) ++visit.next;
        if (visit.next < children.size()) {
            const std::size_t b = visit.next++;
            const NodeParts below = divider != nullptr ? visit.branches[b] : NodeParts{};
            path.push_back({children[b], below});
            continue;
        }
        double raised = no_branch;
        if (divider != nullptr && !tree_.forced(visit.node)) {
            raised = expected_through(heaviest(visit.node), visit.parts, *divider, interrupt);
        }
        if (decide(visit.node, raised) == Outcome::raised) {
            redistribute(visit.node, visit.parts, *divider, criterion);
            visit.next = 0;
        } else {
            path.pop_back();
        }
    }
}

}  // namespace ramify
