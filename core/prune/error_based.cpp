#include "prune/error_based.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "prune/error_limit.hpp"
#include "reshape/reshaped.hpp"
#include "reshape/row_divider.hpp"

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

class Pruner {
  public:
    Pruner(const Problem& problem, const Tree& tree, const ErrorBasedOptions& options,
           Interrupt& interrupt)
        : problem_(problem),
          options_(options),
          interrupt_(interrupt),
          limit_(options.confidence),
          tree_(tree),
          divider_(problem, tree_, options.unseen) {
        if (!options.costs.empty()) {
            largest_cost_ = *std::max_element(options.costs.begin(), options.costs.end());
        }
    }

    Tree run() {
        collapse();
        prune();
        return tree_.tree();
    }

  private:
    // A node whose branches are being pruned one after the other.
    struct Visit {
        std::int32_t node;
        NodeParts parts{};
        std::vector<NodeParts> branches{};
        std::size_t next = 0;
    };
    using Work = std::vector<std::pair<std::int32_t, NodeParts>>;

    double errors(std::span<const double> value) const;
    double expected(std::span<const double> value) const;
    double expected_through(std::int32_t branch, const NodeParts& parts);
    void redistribute(std::int32_t node, const NodeParts& parts);
    std::int32_t heaviest(std::int32_t node) const;
    bool replaced(const Visit& visit);
    void collapse();
    void prune();

    const Problem& problem_;
    const ErrorBasedOptions& options_;
    Interrupt& interrupt_;
    ErrorLimit limit_;
    Reshaped tree_;
    RowDivider divider_;
    double largest_cost_ = 0.0;
    std::vector<double> expected_;  // of the subtree below a node, once its branches are pruned
};

double Pruner::errors(std::span<const double> value) const {
    const std::size_t classes = value.size();
    const std::size_t label = decide(value.data(), classes, options_.costs);
    double sum = 0.0;
    for (std::size_t j = 0; j < classes; ++j) {
        if (options_.costs.empty()) {
            sum += j == label ? 0.0 : value[j];
        } else if (largest_cost_ > 0.0) {
            const std::size_t answers = answers_of(classes, options_.costs);
            sum += value[j] * (options_.costs[j * answers + label] / largest_cost_);
        }
    }
    return sum;
}

double Pruner::expected(std::span<const double> value) const {
    const double cases = std::accumulate(value.begin(), value.end(), 0.0);
    if (cases < rounding) return 0.0;
    const double wrong = errors(value);
    return wrong + limit_.added(cases, wrong);
}

// The errors expected below `branch` if it took over these rows.
double Pruner::expected_through(std::int32_t branch, const NodeParts& parts) {
    double sum = 0.0;
    Work work{{branch, parts}};
    while (!work.empty()) {
        const auto [node, rows] = std::move(work.back());
        work.pop_back();
        if (tree_.leaf(node)) {
            sum += expected(divider_.class_weights(rows.parts));
            continue;
        }
        interrupt_.poll();
        const Division division = divider_.divide(node, rows);
        const auto& children = tree_[node].children;
        for (std::size_t b = children.size(); b < division.branches.size(); ++b) {
            sum += expected(divider_.class_weights(division.branches[b].parts));
        }
        for (std::size_t b = children.size(); b-- > 0;) {
            work.emplace_back(children[b], division.branches[b]);
        }
    }
    return sum;
}

void Pruner::redistribute(std::int32_t top, const NodeParts& parts) {
    Work work{{top, parts}};
    while (!work.empty()) {
        const auto [node, rows] = std::move(work.back());
        work.pop_back();
        tree_.set_rows(node, static_cast<std::int64_t>(rows.parts.size()),
                       divider_.class_weights(rows.parts), *problem_.criterion);
        if (tree_.leaf(node)) continue;
        const Division division = divider_.divide(node, rows);
        for (const std::int32_t level : division.new_levels) tree_.add_branch(node, level);
        for (std::size_t b = 0; b < division.branches.size(); ++b) {
            const std::int32_t child = tree_[node].children[b];
            tree_.set_proportion(child, division.proportions[b]);
            work.emplace_back(child, division.branches[b]);
        }
    }
    expected_.resize(tree_.size(), 0.0);
}

// The last of equals, as in J48.
std::int32_t Pruner::heaviest(std::int32_t node) const {
    std::int32_t found = tree_[node].children.front();
    for (const std::int32_t child : tree_[node].children) {
        if (at_most(tree_.weight(found), tree_.weight(child))) found = child;
    }
    return found;
}

// Top-down: a subtree that makes as many errors on the training rows as a leaf becomes a leaf.
void Pruner::collapse() {
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

// Decides on a node whose branches are pruned. True if a branch has taken its place, so that the
// node must be visited again.
bool Pruner::replaced(const Visit& visit) {
    const std::int32_t node = visit.node;
    double& below = expected_[static_cast<std::size_t>(node)];
    below = 0.0;
    for (const std::int32_t child : tree_[node].children) {
        below += tree_.leaf(child) ? expected(tree_.value(child))
                                   : expected_[static_cast<std::size_t>(child)];
    }
    if (tree_.forced(node)) return false;
    const double leaf = expected(tree_.value(node));
    const std::int32_t branch = heaviest(node);
    const double raised = options_.raising ? expected_through(branch, visit.parts)
                                           : std::numeric_limits<double>::infinity();
    if (at_most(leaf, below + prune_slack) && at_most(leaf, raised + prune_slack)) {
        tree_.retire(node);
        return false;
    }
    if (!at_most(raised, below + prune_slack)) return false;
    tree_.raise(node, branch);
    redistribute(node, visit.parts);
    return true;
}

void Pruner::prune() {
    expected_.assign(tree_.size(), 0.0);
    std::vector<Visit> path;
    path.push_back({0, options_.raising ? divider_.all_rows() : NodeParts{}});
    while (!path.empty()) {
        interrupt_.poll();
        Visit& visit = path.back();
        if (tree_.leaf(visit.node)) {
            path.pop_back();
            continue;
        }
        const auto& children = tree_[visit.node].children;
        if (visit.next == 0 && options_.raising) {
            visit.branches = divider_.divide(visit.node, visit.parts).branches;
        }
        while (visit.next < children.size() && tree_.leaf(children[visit.next])) ++visit.next;
        if (visit.next < children.size()) {
            const std::size_t b = visit.next++;
            const NodeParts parts = options_.raising ? visit.branches[b] : NodeParts{};
            path.push_back({children[b], parts});
        } else if (replaced(visit)) {
            visit.next = 0;
        } else {
            path.pop_back();
        }
    }
}

}  // namespace

Tree error_based(const Problem& problem, const Tree& tree, const ErrorBasedOptions& options,
                 Interrupt& interrupt) {
    if (tree.task() != Task::classification) {
        throw std::invalid_argument("error-based pruning counts errors: it needs classes");
    }
    if (!(options.confidence > 0.0 && options.confidence <= 0.5)) {
        throw std::invalid_argument("confidence must be above 0 and at most 0.5");
    }
    return Pruner(problem, tree, options, interrupt).run();
}

}  // namespace ramify
