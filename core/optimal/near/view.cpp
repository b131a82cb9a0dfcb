#include "optimal/near/view.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace ramify::optimal::near {
namespace {

constexpr Count most_trees = Count{1} << 127;

[[noreturn]] void too_many() {
    throw std::overflow_error("more than 2^127 trees are this near the best");
}

Count add(Count a, Count b) {
    if (a > most_trees - b) too_many();
    return a + b;
}

Count times(Count a, Count b) {
    if (a != 0 && b > most_trees / a) too_many();
    return a * b;
}

bool before(const Bucket& a, const Bucket& b) {
    return std::tie(a.cost, a.leaves, a.range) < std::tie(b.cost, b.leaves, b.range);
}

}  // namespace

NearView::NearView(const NearGraph& graph, Filter filter, std::size_t bytes)
    : graph_(graph), filter_(std::move(filter)), room_(bytes / sizeof(Bucket)) {
    buckets_.resize(graph.subproblems().size());
    filled_.resize(graph.subproblems().size(), 0);
    fill(NearGraph::root);
}

Count NearView::count() const {
    Count sum = 0;
    for (const Bucket& bucket : buckets()) sum = add(sum, bucket.count);
    return sum;
}

bool NearView::allowed(std::int32_t node, const Option& option) const {
    const std::int32_t column = graph_.column(option);
    if (node == NearGraph::root && filter_.root_column >= 0 && column != filter_.root_column)
        return false;
    return filter_.excluded.empty() || !filter_.excluded[static_cast<std::size_t>(column)];
}

bool NearView::leaf_allowed(std::int32_t node) const {
    const bool laid = graph_.subproblems()[static_cast<std::size_t>(node)].part >= 0;
    return !laid && (node != NearGraph::root || filter_.root_column < 0);
}

Cost NearView::most(std::int32_t node) const {
    const Cost budget = graph_.subproblems()[static_cast<std::size_t>(node)].budget;
    return node == NearGraph::root ? std::min(budget, filter_.most) : budget;
}

std::int64_t NearView::most_leaves(std::int32_t node) const {
    return std::min(filter_.max_leaves, graph_.max_leaves()) - (node == NearGraph::root ? 0 : 1);
}

std::size_t NearView::find(std::int32_t node, Cost cost, std::int32_t leaves,
                           std::int32_t range) const {
    const auto& found = buckets_[static_cast<std::size_t>(node)];
    const Bucket wanted{cost, leaves, range, 0};
    const auto at = std::lower_bound(found.begin(), found.end(), wanted, before);
    return static_cast<std::size_t>(at - found.begin());
}

// Whether two leaves below it are left out. What is laid down stays.
bool NearView::idle(const Option& option) const {
    if (filter_.idle || option.question < 0) return false;
    const auto& nodes = graph_.subproblems();
    return graph_.table().same_answer(nodes[static_cast<std::size_t>(option.left)].leaf,
                                      nodes[static_cast<std::size_t>(option.right)].leaf);
}

std::int32_t NearView::number_of(const monotone::Range& range) const {
    if (!graph_.order()) return 0;
    const auto next = static_cast<std::int32_t>(ranges_.size());
    const auto [at, added] = number_of_.try_emplace({range.low, range.high}, next);
    if (added) ranges_.push_back(range);
    return at->second;
}

std::int32_t NearView::joined(const Option& option, std::int32_t left, std::int32_t right) const {
    if (!graph_.order()) return 0;
    const monotone::Range& a = ranges_[static_cast<std::size_t>(left)];
    const monotone::Range& b = ranges_[static_cast<std::size_t>(right)];
    if (option.sign != 0) {
        const monotone::Range& less = option.sign > 0 ? a : b;
        const monotone::Range& more = option.sign > 0 ? b : a;
        if (less.high[option.output] > more.low[option.output]) return -1;
    }
    if (left == right) return left;
    monotone::Range both = a;
    both.include(b);
    return number_of(both);
}

void NearView::fill(std::int32_t node) {
    const auto at = static_cast<std::size_t>(node);
    if (filled_[at]) return;
    filled_[at] = 1;
    graph_.monitor().poll();
    const Subproblem& mine = graph_.subproblems()[at];
    const Cost limit = most(node);
    const std::int64_t leaves = most_leaves(node);
    std::map<std::tuple<Cost, std::int32_t, std::int32_t>, Count> found;
    if (leaf_allowed(node) && mine.leaf.cost <= limit && leaves >= 1)
        found[{mine.leaf.cost, 1, number_of(mine.range)}] = 1;
    for (const Option& option : mine.options) {
        if (!allowed(node, option)) continue;
        fill(option.left);
        fill(option.right);
        const auto& left = buckets_[static_cast<std::size_t>(option.left)];
        const auto& right = buckets_[static_cast<std::size_t>(option.right)];
        const bool same = idle(option);
        for (const Bucket& a : left) {
            if (right.empty() || a.cost + right.front().cost > limit) break;
            for (const Bucket& b : right) {
                if (a.cost + b.cost > limit) break;
                if (a.leaves + b.leaves > leaves || (same && a.leaves + b.leaves == 2)) continue;
                const std::int32_t range = joined(option, a.range, b.range);
                if (range < 0) continue;
                Count& to = found[{a.cost + b.cost, a.leaves + b.leaves, range}];
                to = add(to, times(a.count, b.count));
                if (found.size() > room_) throw Full();
            }
        }
    }
    auto& to = buckets_[at];
    for (const auto& [key, count] : found)
        to.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
    if (to.size() > room_) throw Full();
    room_ -= to.size();
}

template <typename Visit>
void NearView::pairs(std::int32_t node, Visit&& visit) const {
    const auto at = static_cast<std::size_t>(node);
    const Subproblem& mine = graph_.subproblems()[at];
    const Cost limit = most(node);
    for (const Option& option : mine.options) {
        if (!allowed(node, option)) continue;
        const auto& left = buckets_[static_cast<std::size_t>(option.left)];
        const auto& right = buckets_[static_cast<std::size_t>(option.right)];
        const bool same = idle(option);
        for (std::size_t a = 0; a < left.size(); ++a) {
            for (std::size_t b = 0; b < right.size(); ++b) {
                const Cost cost = left[a].cost + right[b].cost;
                if (cost > limit) break;
                const std::int32_t leaves = left[a].leaves + right[b].leaves;
                const std::int32_t range = joined(option, left[a].range, right[b].range);
                if (range < 0) continue;
                const std::size_t to = find(node, cost, leaves, range);
                if (to == buckets_[at].size() ||
                    before(Bucket{cost, leaves, range, 0}, buckets_[at][to])) {
                    continue;
                }
                // Of the trees of one leaf there is one, the leaf.
                const bool idle = same && left[a].leaves == 1 && right[b].leaves == 1;
                if (!visit(Pair{&option, a, b, to, idle})) return;
            }
        }
    }
}

void NearView::set_split(NodeList& to, std::size_t at, const Option& option, std::int32_t left,
                         std::int32_t right) const {
    if (option.question < 0) {
        to[at] = {option.question, 0, left, right};
        return;
    }
    const Question& question = graph_.table().questions[static_cast<std::size_t>(option.question)];
    to[at] = {question.feature, question.code, left, right};
}

std::pair<Cost, NodeList> NearView::tree(Count number) const {
    const auto& list = buckets();
    for (std::size_t bucket = 0; bucket < list.size(); ++bucket) {
        if (number < list[bucket].count) {
            NodeList nodes;
            write(NearGraph::root, bucket, number, nodes);
            return {list[bucket].cost, nodes};
        }
        number -= list[bucket].count;
    }
    throw std::out_of_range("there is no tree of this number");
}

std::int32_t NearView::write(std::int32_t node, std::size_t bucket, Count number,
                             NodeList& to) const {
    const auto at = to.size();
    to.push_back(Node{});
    const Subproblem& mine = graph_.subproblems()[static_cast<std::size_t>(node)];
    const Bucket& wanted = buckets_[static_cast<std::size_t>(node)][bucket];
    const auto place = static_cast<std::int32_t>(at);
    if (wanted.leaves == 1) return place;
    Count rest = number;
    const Cost limit = wanted.cost;
    for (const Option& option : mine.options) {
        if (!allowed(node, option)) continue;
        const auto& left = buckets_[static_cast<std::size_t>(option.left)];
        const auto& right = buckets_[static_cast<std::size_t>(option.right)];
        const bool same = idle(option);
        for (std::size_t a = 0; a < left.size() && left[a].cost <= limit; ++a) {
            const Cost cost = limit - left[a].cost;
            const std::int32_t leaves = wanted.leaves - left[a].leaves;
            for (std::size_t b = find(option.right, cost, leaves, 0);
                 b < right.size() && right[b].cost == cost && right[b].leaves == leaves; ++b) {
                if (joined(option, left[a].range, right[b].range) != wanted.range) continue;
                if (same && left[a].leaves == 1 && right[b].leaves == 1) continue;
                const Count here = left[a].count * right[b].count;
                if (rest >= here) {
                    rest -= here;
                    continue;
                }
                const std::int32_t one = write(option.left, a, rest / right[b].count, to);
                const std::int32_t other = write(option.right, b, rest % right[b].count, to);
                set_split(to, at, option, one, other);
                return place;
            }
        }
    }
    throw std::logic_error("a tree of this number was counted but is not there");
}

// The value of each bucket of each subproblem.
struct NearView::Table {
    const Measure* measure;
    bool largest;
    std::vector<std::vector<double>> value;

    bool better(double a, double b) const { return largest ? a > b : a < b; }
};

std::pair<double, NodeList> NearView::extreme(const Measure& measure, bool largest) const {
    const double worst = largest ? -std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::infinity();
    Table table{&measure, largest, std::vector<std::vector<double>>(buckets_.size())};
    std::vector<std::int32_t> order;
    for (std::size_t node = 0; node < buckets_.size(); ++node) {
        if (!buckets_[node].empty()) order.push_back(static_cast<std::int32_t>(node));
    }
    const auto& nodes = graph_.subproblems();
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return nodes[static_cast<std::size_t>(a)].depth < nodes[static_cast<std::size_t>(b)].depth;
    });
    for (const std::int32_t node : order) {
        graph_.monitor().poll();
        const auto at = static_cast<std::size_t>(node);
        auto& mine = table.value[at];
        mine.assign(buckets_[at].size(), worst);
        for (std::size_t b = 0; b < mine.size(); ++b) {
            if (buckets_[at][b].leaves == 1) mine[b] = measure.of_leaf(node);
        }
        pairs(node, [&](const Pair& pair) {
            if (pair.idle) return true;
            const double value =
                table.value[static_cast<std::size_t>(pair.option->left)][pair.left] +
                table.value[static_cast<std::size_t>(pair.option->right)][pair.right] +
                measure.of_split(node, *pair.option);
            if (table.better(value, mine[pair.to])) mine[pair.to] = value;
            return true;
        });
    }
    const auto& root = table.value[NearGraph::root];
    if (root.empty()) throw std::out_of_range("the set is empty");
    std::size_t best = 0;
    for (std::size_t b = 1; b < root.size(); ++b) {
        if (table.better(root[b], root[best])) best = b;
    }
    NodeList to;
    write_extreme(NearGraph::root, best, table, to);
    return {root[best], to};
}

std::int32_t NearView::write_extreme(std::int32_t node, std::size_t bucket, const Table& table,
                                     NodeList& to) const {
    const auto at = to.size();
    to.push_back(Node{});
    const auto n = static_cast<std::size_t>(node);
    if (buckets_[n][bucket].leaves == 1) return static_cast<std::int32_t>(at);
    Pair found{nullptr, 0, 0, 0, false};
    pairs(node, [&](const Pair& pair) {
        if (pair.to != bucket || pair.idle) return true;
        const double value = table.value[static_cast<std::size_t>(pair.option->left)][pair.left] +
                             table.value[static_cast<std::size_t>(pair.option->right)][pair.right] +
                             table.measure->of_split(node, *pair.option);
        if (value != table.value[n][bucket]) return true;
        found = pair;
        return false;
    });
    if (found.option == nullptr) throw std::logic_error("an extreme tree is not there");
    const std::int32_t left = write_extreme(found.option->left, found.left, table, to);
    const std::int32_t right = write_extreme(found.option->right, found.right, table, to);
    set_split(to, at, *found.option, left, right);
    return static_cast<std::int32_t>(at);
}

// From the root down: `outside` is the number of trees around a tree of each bucket.
std::vector<double> NearView::leaf_counts() const {
    const auto& nodes = graph_.subproblems();
    std::vector<std::vector<double>> outside(nodes.size());
    std::vector<double> leaves(nodes.size(), 0.0);
    std::vector<std::int32_t> order;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        if (buckets_[node].empty()) continue;
        order.push_back(static_cast<std::int32_t>(node));
        outside[node].assign(buckets_[node].size(), 0.0);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return nodes[static_cast<std::size_t>(a)].depth > nodes[static_cast<std::size_t>(b)].depth;
    });
    if (order.empty()) return leaves;
    std::fill(outside[NearGraph::root].begin(), outside[NearGraph::root].end(), 1.0);
    for (const std::int32_t node : order) {
        graph_.monitor().poll();
        const auto at = static_cast<std::size_t>(node);
        for (std::size_t b = 0; b < buckets_[at].size(); ++b) {
            if (buckets_[at][b].leaves == 1) leaves[at] += outside[at][b];
        }
        pairs(node, [&](const Pair& pair) {
            const double around = outside[at][pair.to];
            if (pair.idle || around == 0.0) return true;
            const auto left = static_cast<std::size_t>(pair.option->left);
            const auto right = static_cast<std::size_t>(pair.option->right);
            outside[left][pair.left] +=
                around * static_cast<double>(buckets_[right][pair.right].count);
            outside[right][pair.right] +=
                around * static_cast<double>(buckets_[left][pair.left].count);
            return true;
        });
    }
    return leaves;
}

}  // namespace ramify::optimal::near
