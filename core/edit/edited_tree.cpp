#include "edit/edited_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "grow/frontier.hpp"
#include "support/parallel.hpp"

namespace ramify {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

void append(LevelLists& lists, const std::vector<std::pair<std::int32_t, std::int32_t>>& levels) {
    for (const auto& [code, branch] : levels) {
        lists.code.push_back(code);
        lists.branch.push_back(branch);
    }
    lists.start.push_back(static_cast<std::int64_t>(lists.code.size()));
}

void append(TreeArrays& to, const EditNode& node, bool spreads) {
    const NodeNumbers& numbers = node.numbers;
    const BuiltCondition& condition = node.condition;
    const bool split = !node.leaf();
    to.n_children.push_back(static_cast<std::int32_t>(node.children.size()));
    to.first_child.push_back(-1);
    to.expansion.push_back(-1);
    to.attribute.push_back(split ? condition.attribute : -1);
    to.missing_to.push_back(split ? condition.missing_to : -1);
    to.kind.push_back(static_cast<std::uint8_t>(split ? condition.kind : ConditionKind::leaf));
    to.rows.push_back(numbers.rows);
    const bool threshold = split && condition.kind == ConditionKind::threshold;
    to.threshold.push_back(threshold ? condition.threshold : nothing);
    to.proportion.push_back(node.proportion);
    to.weight.push_back(numbers.weight);
    to.impurity.push_back(numbers.impurity);
    to.gain.push_back(split ? condition.gain : 0.0);
    to.log_p.push_back(condition.log_p);
    to.key.push_back(nothing);
    to.prediction.push_back(numbers.prediction);
    if (spreads) to.spread.push_back(numbers.spread);
    to.value.insert(to.value.end(), numbers.value.begin(), numbers.value.end());
    append(to.levels,
           split ? condition.levels : std::vector<std::pair<std::int32_t, std::int32_t>>{});
    for (const BuiltCondition& competitor : node.competitors) {
        to.competitor_attribute.push_back(competitor.attribute);
        to.competitor_missing_to.push_back(competitor.missing_to);
        to.competitor_kind.push_back(static_cast<std::uint8_t>(competitor.kind));
        to.competitor_threshold.push_back(
            competitor.kind == ConditionKind::threshold ? competitor.threshold : nothing);
        to.competitor_gain.push_back(competitor.gain);
        to.competitor_log_p.push_back(competitor.log_p);
        append(to.competitor_levels, competitor.levels);
    }
    to.competitor_start.push_back(static_cast<std::int64_t>(to.competitor_attribute.size()));
}

}  // namespace

EditedTree::EditedTree(SharedNode root, const Problem& problem, Interrupt& interrupt)
    : root_(std::move(root)), tree_(make(problem, interrupt)) {}

// Numbers the nodes as growth does: in the order of their creation.
Tree EditedTree::make(const Problem& problem, Interrupt& interrupt) {
    const bool depth_first = problem.parameters.growth == Growth::depth_first;
    const bool spreads = !std::isnan(root_->numbers.spread);
    TreeArrays to;
    nodes_.assign(1, root_.get());
    to.parent.push_back(-1);
    to.depth.push_back(0);
    std::vector<std::int32_t> expanded, stack;
    Frontier frontier(problem.parameters.weigh_gains);
    const auto open = [&](std::int32_t id) {
        const EditNode& node = *nodes_[static_cast<std::size_t>(id)];
        if (node.leaf()) return;
        if (depth_first) {
            stack.push_back(id);
        } else {
            frontier.push(id, node.condition.gain, node.numbers.weight);
        }
    };
    std::vector<std::int32_t> first_child;
    open(0);
    while (depth_first ? !stack.empty() : !frontier.empty()) {
        if (expanded.size() % 1024 == 0) interrupt.poll();
        std::int32_t id = 0;
        if (depth_first) {
            id = stack.back();
            stack.pop_back();
        } else {
            id = frontier.pop();
        }
        expanded.push_back(id);
        const EditNode& node = *nodes_[static_cast<std::size_t>(id)];
        const auto first = static_cast<std::int32_t>(nodes_.size());
        first_child.push_back(first);
        for (const SharedNode& child : node.children) {
            nodes_.push_back(child.get());
            to.parent.push_back(id);
            to.depth.push_back(to.depth[static_cast<std::size_t>(id)] + 1);
        }
        const auto count = static_cast<std::int32_t>(node.children.size());
        // The first branch is expanded first.
        for (std::int32_t b = 0; b < count; ++b) open(first + (depth_first ? count - 1 - b : b));
    }
    for (const EditNode* node : nodes_) append(to, *node, spreads);
    for (std::size_t e = 0; e < expanded.size(); ++e) {
        const auto i = static_cast<std::size_t>(expanded[e]);
        to.expansion[i] = static_cast<std::int32_t>(e);
        to.first_child[i] = first_child[e];
    }
    const bool classification = problem.classes > 0;
    return Tree(classification ? Task::classification : Task::regression, problem.table.size(),
                classification ? problem.classes : 3, std::move(to));
}

std::vector<std::int64_t> EditedTree::tags() const {
    std::vector<std::int64_t> tags;
    for (const EditNode* node : nodes_) tags.push_back(node->tag);
    return tags;
}

std::vector<std::int32_t> EditedTree::leaves(std::size_t node) const {
    const TreeArrays& arrays = tree_.arrays();
    std::vector<std::int32_t> leaves, stack{static_cast<std::int32_t>(node)};
    while (!stack.empty()) {
        const std::int32_t id = stack.back();
        const auto i = static_cast<std::size_t>(id);
        stack.pop_back();
        if (arrays.n_children[i] == 0) leaves.push_back(id);
        for (std::int32_t b = arrays.n_children[i] - 1; b >= 0; --b)
            stack.push_back(arrays.first_child[i] + b);
    }
    return leaves;
}

SharedRows EditedTree::rows(std::size_t node, SharedRows LeafRows::* which,
                            std::size_t total) const {
    std::vector<SharedRows> lists;
    for (const std::int32_t leaf : leaves(node))
        lists.push_back(nodes_[static_cast<std::size_t>(leaf)]->rows.*which);
    return merged(lists, total);
}

Demand EditedTree::demand(std::size_t node) const {
    Demand demand;
    std::vector<const EditNode*> queue{nodes_[node]};
    for (std::size_t at = 0; at < queue.size(); ++at) {
        const EditNode& from = *queue[at];
        SkeletonNode asked;
        if (!from.leaf()) {
            asked.kind = from.condition.kind;
            asked.attribute = from.condition.attribute;
            asked.threshold = from.condition.threshold;
            asked.missing_to = from.condition.missing_to;
            asked.branch_of_code = from.branch_of_code;
            for (const SharedNode& child : from.children) {
                asked.children.push_back(static_cast<std::int32_t>(queue.size()));
                queue.push_back(child.get());
            }
        }
        demand.skeleton.push_back(std::move(asked));
        demand.tags.push_back(from.tag);
    }
    return demand;
}

SharedNode EditedTree::with(std::size_t node, EditNode branch) const {
    const TreeArrays& arrays = tree_.arrays();
    branch.proportion = nodes_[node]->proportion;
    auto made = std::make_shared<const EditNode>(std::move(branch));
    for (auto at = static_cast<std::int32_t>(node);
         arrays.parent[static_cast<std::size_t>(at)] >= 0;
         at = arrays.parent[static_cast<std::size_t>(at)]) {
        const auto parent = static_cast<std::size_t>(arrays.parent[static_cast<std::size_t>(at)]);
        EditNode above = *nodes_[parent];
        above.children[static_cast<std::size_t>(at - arrays.first_child[parent])] = made;
        made = std::make_shared<const EditNode>(std::move(above));
    }
    return made;
}

EditNode make_branch(const NodeDivider& divider, const Demand& demand, EditNode root,
                     std::vector<std::uint8_t>& passed_over, int threads, Interrupt& interrupt) {
    passed_over.assign(demand.skeleton.size(), 0);
    struct Open {
        EditNode* node;
        std::int32_t place;
    };
    struct Made {
        std::vector<std::shared_ptr<EditNode>> children;
        std::vector<std::int32_t> places;
    };
    // Depth by depth: apart from divided rows, the nodes of one depth have no more rows together
    // than the root.
    std::vector<Open> level{{&root, 0}};
    while (!level.empty()) {
        std::vector<Made> made(level.size());
        for_each_index(level.size(), threads, [&](std::size_t i) {
            interrupt.poll();
            EditNode& node = *level[i].node;
            std::int32_t place = level[i].place;
            for (;;) {
                const SkeletonNode& asked = demand.skeleton[static_cast<std::size_t>(place)];
                node.tag = demand.tags[static_cast<std::size_t>(place)];
                if (asked.kind == ConditionKind::leaf) return;
                NodeDivision division = divider.divide(node.rows, node.numbers, asked, interrupt);
                if (division.kept.size() < 2) {
                    passed_over[static_cast<std::size_t>(place)] = 1;
                    if (division.kept.empty()) {
                        node.tag = -1;
                        return;
                    }
                    place = asked.children[static_cast<std::size_t>(division.kept.front())];
                    continue;
                }
                node.condition.kind = asked.kind;
                node.condition.attribute = asked.attribute;
                node.condition.threshold = asked.threshold;
                node.condition.missing_to = division.missing_to;
                node.condition.gain = division.gain;
                node.condition.levels = std::move(division.levels);
                node.branch_of_code = std::move(division.branch_of_code);
                for (std::size_t b = 0; b < division.kept.size(); ++b) {
                    auto child = std::make_shared<EditNode>();
                    child->numbers = std::move(division.numbers[b]);
                    child->proportion = division.proportions[b];
                    child->rows = std::move(division.rows[b]);
                    made[i].children.push_back(child);
                    made[i].places.push_back(
                        asked.children[static_cast<std::size_t>(division.kept[b])]);
                    node.children.push_back(std::move(child));
                }
                node.rows = {};
                return;
            }
        });
        level.clear();
        for (const Made& one : made) {
            for (std::size_t b = 0; b < one.children.size(); ++b)
                level.push_back({one.children[b].get(), one.places[b]});
        }
    }
    return root;
}

Demand demand_of(const Tree& tree, const Table& table) {
    const TreeArrays& arrays = tree.arrays();
    Demand demand;
    demand.skeleton.resize(tree.size());
    demand.tags.assign(tree.size(), -1);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        SkeletonNode& asked = demand.skeleton[i];
        asked.kind = static_cast<ConditionKind>(arrays.kind[i]);
        if (asked.kind == ConditionKind::leaf) continue;
        asked.attribute = arrays.attribute[i];
        asked.missing_to = arrays.missing_to[i];
        const auto first = static_cast<std::size_t>(arrays.first_child[i]);
        const auto count = static_cast<std::size_t>(arrays.n_children[i]);
        for (std::size_t b = 0; b < count; ++b)
            asked.children.push_back(static_cast<std::int32_t>(first + b));
        if (asked.kind == ConditionKind::threshold) {
            asked.threshold = arrays.threshold[i];
            continue;
        }
        const auto shares = arrays.proportion.begin() + static_cast<std::ptrdiff_t>(first);
        const auto heaviest = static_cast<std::int32_t>(
            std::max_element(shares, shares + static_cast<std::ptrdiff_t>(count)) - shares);
        asked.branch_of_code.assign(table[static_cast<std::size_t>(asked.attribute)].levels,
                                    heaviest);
        for (auto l = static_cast<std::size_t>(arrays.levels.start[i]);
             l < static_cast<std::size_t>(arrays.levels.start[i + 1]); ++l)
            asked.branch_of_code[static_cast<std::size_t>(arrays.levels.code[l])] =
                arrays.levels.branch[l];
    }
    return demand;
}

bool take_over(EditNode& root, const Tree& tree) {
    const TreeArrays& arrays = tree.arrays();
    struct Pair {
        EditNode* node;
        std::size_t from;
    };
    const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); };
    std::vector<Pair> pairs{{&root, 0}};
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        EditNode& node = *pairs[at].node;
        const std::size_t i = pairs[at].from;
        if (node.children.size() != static_cast<std::size_t>(arrays.n_children[i]) ||
            node.numbers.rows != arrays.rows[i] || !near(node.numbers.weight, arrays.weight[i]))
            return false;
        for (std::size_t j = 0; j < tree.width(); ++j) {
            const double found = node.numbers.value[j];
            const double given = arrays.value[i * tree.width() + j];
            if (std::abs(found - given) > 1e-6 * (std::abs(given) + arrays.weight[i])) return false;
        }
        for (std::size_t b = 0; b < node.children.size(); ++b) {
            // Nothing else knows the nodes yet.
            auto* child = const_cast<EditNode*>(node.children[b].get());
            pairs.push_back({child, static_cast<std::size_t>(arrays.first_child[i]) + b});
        }
    }
    for (const auto& [node, i] : pairs) {
        NodeNumbers& numbers = node->numbers;
        if (i > 0) node->proportion = arrays.proportion[i];
        numbers.weight = arrays.weight[i];
        numbers.impurity = arrays.impurity[i];
        numbers.prediction = arrays.prediction[i];
        if (!arrays.spread.empty()) numbers.spread = arrays.spread[i];
        const auto value = arrays.value.begin() + static_cast<std::ptrdiff_t>(i * tree.width());
        numbers.value.assign(value, value + static_cast<std::ptrdiff_t>(tree.width()));
        node->condition.log_p = arrays.log_p[i];
        if (node->leaf()) continue;
        node->condition.gain = arrays.gain[i];
        for (auto c = static_cast<std::size_t>(arrays.competitor_start[i]);
             c < static_cast<std::size_t>(arrays.competitor_start[i + 1]); ++c) {
            BuiltCondition& competitor = node->competitors.emplace_back();
            competitor.kind = static_cast<ConditionKind>(arrays.competitor_kind[c]);
            competitor.attribute = arrays.competitor_attribute[c];
            competitor.missing_to = arrays.competitor_missing_to[c];
            competitor.threshold = arrays.competitor_threshold[c];
            competitor.gain = arrays.competitor_gain[c];
            competitor.log_p = arrays.competitor_log_p[c];
            for (auto l = static_cast<std::size_t>(arrays.competitor_levels.start[c]);
                 l < static_cast<std::size_t>(arrays.competitor_levels.start[c + 1]); ++l)
                competitor.levels.emplace_back(arrays.competitor_levels.code[l],
                                               arrays.competitor_levels.branch[l]);
        }
    }
    return true;
}

}  // namespace ramify
