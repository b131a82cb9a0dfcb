#include "grow/builder.hpp"

#include <algorithm>
#include <limits>

#include "grow/frontier.hpp"
#include "support/parallel.hpp"

namespace ramify {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Calls visit(width, array...) for every array of the given trees that has `width` entries per
// node. `spreads`: the entries per node of the array of spreads, none or one.
template <typename Visit, typename... Arrays>
void for_each_array(std::size_t width, std::size_t spreads, Visit&& visit, Arrays&... a) {
    visit(std::size_t{1}, a.parent...);
    visit(std::size_t{1}, a.first_child...);
    visit(std::size_t{1}, a.n_children...);
    visit(std::size_t{1}, a.depth...);
    visit(std::size_t{1}, a.attribute...);
    visit(std::size_t{1}, a.missing_to...);
    visit(std::size_t{1}, a.expansion...);
    visit(std::size_t{1}, a.kind...);
    visit(std::size_t{1}, a.rows...);
    visit(std::size_t{1}, a.threshold...);
    visit(std::size_t{1}, a.proportion...);
    visit(std::size_t{1}, a.weight...);
    visit(std::size_t{1}, a.impurity...);
    visit(std::size_t{1}, a.gain...);
    visit(std::size_t{1}, a.log_p...);
    visit(std::size_t{1}, a.key...);
    visit(std::size_t{1}, a.prediction...);
    visit(spreads, a.spread...);
    visit(width, a.value...);
}

void append(LevelLists& lists, const std::vector<std::pair<std::int32_t, std::int32_t>>& levels) {
    for (const auto& [code, branch] : levels) {
        lists.code.push_back(code);
        lists.branch.push_back(branch);
    }
}

}  // namespace

Builder::Builder(Task task, std::size_t width, bool keeps_spreads, std::size_t expected,
                 TreeArrays* used)
    : task_(task), width_(width), spreads_(keeps_spreads ? 1 : 0), recycles_(used != nullptr) {
    if (recycles_) {
        const auto take = [](std::size_t, auto& array, auto& from) {
            array = std::move(from);
            array.clear();
        };
        for_each_array(width_, spreads_, take, nodes_, *used);
    }
    const auto reserve = [&](std::size_t w, auto& array) { array.reserve(expected * w); };
    for_each_array(width_, spreads_, reserve, nodes_);
    at_.reserve(expected);
}

std::int32_t Builder::add(const NodeStats& stats, std::int32_t parent, std::int32_t depth,
                          double proportion) {
    const auto id = static_cast<std::int32_t>(size());
    nodes_.parent.push_back(parent);
    nodes_.first_child.push_back(-1);
    nodes_.n_children.push_back(0);
    nodes_.depth.push_back(depth);
    nodes_.attribute.push_back(-1);
    nodes_.missing_to.push_back(-1);
    nodes_.expansion.push_back(-1);
    nodes_.kind.push_back(static_cast<std::uint8_t>(ConditionKind::leaf));
    nodes_.rows.push_back(stats.rows);
    nodes_.threshold.push_back(nothing);
    nodes_.proportion.push_back(proportion);
    nodes_.weight.push_back(stats.weight);
    nodes_.impurity.push_back(stats.impurity);
    nodes_.gain.push_back(0.0);
    nodes_.log_p.push_back(nothing);
    nodes_.key.push_back(nothing);
    if (spreads_ > 0) nodes_.spread.push_back(stats.spread);
    if (task_ == Task::classification) {
        nodes_.prediction.push_back(nothing);
        nodes_.value.insert(nodes_.value.end(), stats.sums.begin(), stats.sums.end());
    } else {
        const double w = stats.sums[0];
        const double y = stats.prediction;
        nodes_.prediction.push_back(y);
        nodes_.value.push_back(w);
        if (spreads_ == 0) {
            // Prediction and variance are more exact than the sums, which are taken about the
            // centre.
            nodes_.value.push_back(w * y);
            nodes_.value.push_back(w * (stats.impurity + y * y));
        } else {
            nodes_.value.push_back(stats.sums[1]);
            nodes_.value.push_back(stats.sums[2]);
        }
    }
    at_.push_back(-1);
    return id;
}

void Builder::set_condition(std::int32_t id, const BuiltCondition& condition) {
    const auto i = static_cast<std::size_t>(id);
    nodes_.kind[i] = static_cast<std::uint8_t>(condition.kind);
    nodes_.attribute[i] = condition.attribute;
    nodes_.missing_to[i] = condition.missing_to;
    nodes_.gain[i] = condition.gain;
    nodes_.log_p[i] = condition.log_p;
    nodes_.key[i] = condition.forced ? never_pruned : nothing;
    if (condition.kind == ConditionKind::threshold) nodes_.threshold[i] = condition.threshold;
}

void Builder::set_children(std::int32_t id, std::int32_t first, std::size_t count) {
    nodes_.first_child[static_cast<std::size_t>(id)] = first;
    nodes_.n_children[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(count);
}

BuiltSide& Builder::side(std::int32_t id) {
    std::int32_t& at = at_[static_cast<std::size_t>(id)];
    if (at < 0) {
        at = static_cast<std::int32_t>(sides_.size());
        sides_.emplace_back();
    }
    return sides_[static_cast<std::size_t>(at)];
}

// Node i > 0 of the subtree becomes node end - 1 + i; its node 0 is the leaf itself.
void Builder::graft_one(Graft& graft, std::size_t end, std::size_t side_end) {
    Builder& from = *graft.subtree;
    const auto leaf = static_cast<std::size_t>(graft.leaf);
    const auto base = static_cast<std::int32_t>(end) - 1;
    const auto side_base = static_cast<std::int32_t>(side_end);
    for (std::int32_t& child : from.nodes_.first_child) child += child >= 0 ? base : 0;
    for (std::int32_t& parent : from.nodes_.parent) {
        parent = parent == 0 ? graft.leaf : parent + base;
    }
    for (std::int32_t& at : from.at_) at += at >= 0 ? side_base : 0;
    // Competitors were written when the leaf was evaluated, levels when it was expanded.
    if (at_[leaf] >= 0 && from.at_[0] >= 0) {
        auto& written = from.sides_[static_cast<std::size_t>(from.at_[0] - side_base)];
        sides_[static_cast<std::size_t>(at_[leaf])].levels = std::move(written.levels);
    } else if (from.at_[0] >= 0) {
        at_[leaf] = from.at_[0];
    }
    from.nodes_.parent[0] = nodes_.parent[leaf];
    from.nodes_.proportion[0] = nodes_.proportion[leaf];
    const auto copy = [&](std::size_t width, const auto& source, auto& target) {
        std::copy_n(source.begin(), width,
                    target.begin() + static_cast<std::ptrdiff_t>(leaf * width));
        std::copy(source.begin() + static_cast<std::ptrdiff_t>(width), source.end(),
                  target.begin() + static_cast<std::ptrdiff_t>(end * width));
    };
    for_each_array(width_, spreads_, copy, from.nodes_, nodes_);
    std::copy(from.at_.begin() + 1, from.at_.end(), at_.begin() + static_cast<std::ptrdiff_t>(end));
    std::move(from.sides_.begin(), from.sides_.end(),
              sides_.begin() + static_cast<std::ptrdiff_t>(side_end));
    graft.subtree.reset();
}

void Builder::graft(std::vector<Graft>& grafts, int threads) {
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    std::size_t end = size();
    std::size_t side_end = sides_.size();
    for (const Graft& graft : grafts) {
        ends.emplace_back(end, side_end);
        end += graft.subtree->size() - 1;
        side_end += graft.subtree->sides_.size();
    }
    const auto resize = [&](std::size_t w, auto& array) { array.resize(end * w); };
    for_each_array(width_, spreads_, resize, nodes_);
    at_.resize(end);
    sides_.resize(side_end);
    for_each_index(grafts.size(), threads,
                   [&](std::size_t i) { graft_one(grafts[i], ends[i].first, ends[i].second); });
}

void Builder::graft(std::int32_t leaf, const TreeArrays& subtree) {
    const std::size_t end = size();
    const auto at = static_cast<std::size_t>(leaf);
    const std::size_t count = subtree.parent.size();
    const std::int32_t parent = nodes_.parent[at];
    const std::int32_t depth = nodes_.depth[at];
    const double proportion = nodes_.proportion[at];
    const auto copy = [&](std::size_t width, const auto& from, auto& to) {
        std::copy_n(from.begin(), width, to.begin() + static_cast<std::ptrdiff_t>(at * width));
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(width), from.end());
    };
    for_each_array(width_, spreads_, copy, subtree, nodes_);
    at_.resize(end + count - 1, -1);
    const auto base = static_cast<std::int32_t>(end) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t node = i == 0 ? at : end - 1 + i;
        std::int32_t& above = nodes_.parent[node];
        above = i == 0 ? parent : above == 0 ? leaf : above + base;
        if (nodes_.first_child[node] >= 0) nodes_.first_child[node] += base;
        nodes_.depth[node] += depth;
        nodes_.expansion[node] = -1;
        if (nodes_.kind[node] == static_cast<std::uint8_t>(ConditionKind::leaf)) continue;
        const auto levels_of = [](const LevelLists& lists, std::size_t of) {
            std::vector<std::pair<std::int32_t, std::int32_t>> levels;
            for (auto l = static_cast<std::size_t>(lists.start[of]);
                 l < static_cast<std::size_t>(lists.start[of + 1]); ++l)
                levels.emplace_back(lists.code[l], lists.branch[l]);
            return levels;
        };
        const auto first = static_cast<std::size_t>(subtree.competitor_start[i]);
        const auto last = static_cast<std::size_t>(subtree.competitor_start[i + 1]);
        if (first == last && subtree.levels.start[i] == subtree.levels.start[i + 1]) continue;
        BuiltSide& side = this->side(static_cast<std::int32_t>(node));
        side.levels = levels_of(subtree.levels, i);
        side.competitors.clear();
        for (std::size_t c = first; c < last; ++c) {
            BuiltCondition& competitor = side.competitors.emplace_back();
            competitor.kind = static_cast<ConditionKind>(subtree.competitor_kind[c]);
            competitor.attribute = subtree.competitor_attribute[c];
            competitor.missing_to = subtree.competitor_missing_to[c];
            competitor.threshold = subtree.competitor_threshold[c];
            competitor.gain = subtree.competitor_gain[c];
            competitor.levels = levels_of(subtree.competitor_levels, c);
        }
    }
    nodes_.proportion[at] = proportion;
}

void Builder::limit(const GrowParameters& parameters, Interrupt& interrupt) {
    std::vector<std::uint8_t> expanded(size(), 0);
    Frontier frontier(parameters.weigh_gains);
    std::int64_t forced = 0;
    const auto open = [&](std::int32_t id) {
        const auto i = static_cast<std::size_t>(id);
        if (is_leaf(i)) return;
        const bool demanded = nodes_.key[i] == never_pruned;
        frontier.push(id, demanded ? never_pruned : nodes_.gain[i], nodes_.weight[i]);
        forced += demanded ? 1 : 0;
    };
    open(0);
    std::int64_t leaves = 1;
    std::int64_t expansions = 0;
    while (!frontier.empty() && (forced > 0 || (leaves < parameters.max_leaves &&
                                                expansions < parameters.max_expansions))) {
        if (expansions % 1024 == 0) interrupt.poll();
        const std::int32_t id = frontier.pop();
        const auto i = static_cast<std::size_t>(id);
        const std::int64_t more = nodes_.n_children[i] - 1;
        if (forced > 0) {
            --forced;
        } else if (leaves + more > parameters.max_leaves) {
            continue;  // too many branches for the limit; a smaller split may fit
        }
        leaves += more;
        ++expansions;
        expanded[i] = 1;
        const std::int32_t first = nodes_.first_child[i];
        for (std::int32_t c = first; c < first + nodes_.n_children[i]; ++c) open(c);
    }
    for (std::size_t i = 0; i < size(); ++i) {
        // A leaf that a test stopped keeps its p-value.
        if (expanded[i] != 0 || is_leaf(i)) continue;
        nodes_.kind[i] = static_cast<std::uint8_t>(ConditionKind::leaf);
        nodes_.first_child[i] = nodes_.attribute[i] = nodes_.missing_to[i] = -1;
        nodes_.n_children[i] = 0;
        nodes_.gain[i] = 0.0;
        nodes_.threshold[i] = nodes_.log_p[i] = nodes_.key[i] = nothing;
    }
}

// Called when growth is over. Replaying the frontier gives every expansion its number, whatever
// order the threads worked in. Returns the nodes in the order of their creation in that replay.
RawVector<std::int32_t> Builder::expand_in_order(const GrowParameters& parameters,
                                                 Interrupt& interrupt) {
    RawVector<std::int32_t> order;
    order.reserve(size());
    order.push_back(0);
    std::int32_t expansions = 0;
    const auto expand = [&](std::int32_t id, auto&& open) {
        const auto i = static_cast<std::size_t>(id);
        if (expansions % 1024 == 0) interrupt.poll();
        nodes_.expansion[i] = expansions++;
        const std::int32_t first = nodes_.first_child[i];
        for (std::int32_t c = first; c < first + nodes_.n_children[i]; ++c) {
            order.push_back(c);
            open(c);
        }
    };
    const auto internal = [&](std::int32_t id) {
        return nodes_.kind[static_cast<std::size_t>(id)] !=
               static_cast<std::uint8_t>(ConditionKind::leaf);
    };
    if (parameters.growth == Growth::depth_first) {
        std::vector<std::int32_t> stack;
        if (internal(0)) stack.push_back(0);
        while (!stack.empty()) {
            const std::int32_t id = stack.back();
            stack.pop_back();
            const std::size_t below = stack.size();
            expand(id, [&](std::int32_t c) {
                if (internal(c)) stack.push_back(c);
            });
            std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(below), stack.end());
        }
        return order;
    }
    Frontier frontier(parameters.weigh_gains);
    const auto open = [&](std::int32_t id) {
        const auto i = static_cast<std::size_t>(id);
        // What a skeleton demands comes first.
        const bool forced = nodes_.key[i] == never_pruned;
        if (internal(id))
            frontier.push(id, forced ? never_pruned : nodes_.gain[i], nodes_.weight[i]);
    };
    open(0);
    while (!frontier.empty()) expand(frontier.pop(), open);
    return order;
}

void Builder::put_in_order(const RawVector<std::int32_t>& order, int threads,
                           Interrupt& interrupt) {
    const std::size_t count = order.size();
    RawVector<std::int32_t> number(size(), -1);
    for (std::size_t i = 0; i < count; ++i) {
        number[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    }
    const auto renamed = [&](std::int32_t& id) {
        if (id >= 0) id = number[static_cast<std::size_t>(id)];
    };
    std::for_each(nodes_.parent.begin(), nodes_.parent.end(), renamed);
    std::for_each(nodes_.first_child.begin(), nodes_.first_child.end(), renamed);
    constexpr std::size_t chunk = 16384;
    const auto permute = [&](std::size_t width, auto& array) {
        std::remove_reference_t<decltype(array)> permuted(count * width);
        for_each_index((count + chunk - 1) / chunk, threads, [&](std::size_t at) {
            interrupt.poll();
            const std::size_t end = std::min(count, (at + 1) * chunk);
            for (std::size_t i = at * chunk; i < end; ++i) {
                for (std::size_t j = 0; j < width; ++j) {
                    permuted[i * width + j] = array[static_cast<std::size_t>(order[i]) * width + j];
                }
            }
        });
        array = std::move(permuted);
    };
    for_each_array(width_, spreads_, permute, nodes_);
    permute(1, at_);
}

// Writes levels and competitors, one node after the other.
void Builder::write_sides() {
    const std::size_t count = size();
    TreeArrays& out = nodes_;
    out.levels.start.assign(count + 1, 0);
    out.competitor_start.assign(count + 1, 0);
    for (std::size_t i = 0; i < count && !sides_.empty(); ++i) {
        // A node that stays a leaf because of a limit on leaves has competitors, but no split.
        if (at_[i] >= 0 && out.kind[i] != static_cast<std::uint8_t>(ConditionKind::leaf)) {
            const BuiltSide& side = sides_[static_cast<std::size_t>(at_[i])];
            append(out.levels, side.levels);
            for (const BuiltCondition& c : side.competitors) {
                out.competitor_attribute.push_back(c.attribute);
                out.competitor_kind.push_back(static_cast<std::uint8_t>(c.kind));
                out.competitor_threshold.push_back(c.kind == ConditionKind::threshold ? c.threshold
                                                                                      : nothing);
                out.competitor_gain.push_back(c.gain);
                out.competitor_log_p.push_back(c.log_p);
                out.competitor_missing_to.push_back(c.missing_to);
                append(out.competitor_levels, c.levels);
                out.competitor_levels.start.push_back(
                    static_cast<std::int64_t>(out.competitor_levels.code.size()));
            }
        }
        out.levels.start[i + 1] = static_cast<std::int64_t>(out.levels.code.size());
        out.competitor_start[i + 1] = static_cast<std::int64_t>(out.competitor_attribute.size());
    }
}

TreeArrays Builder::finish(const GrowParameters& parameters, int threads, Interrupt& interrupt) {
    const RawVector<std::int32_t> order = expand_in_order(parameters, interrupt);
    // A single thread that works depth-first has created the nodes in this order already.
    if (order.size() < size() || !std::is_sorted(order.begin(), order.end())) {
        put_in_order(order, threads, interrupt);
    } else {
        const auto shrink = [&](std::size_t, auto& array) {
            if (!recycles_ && array.size() < array.capacity() / 4) array.shrink_to_fit();
        };
        for_each_array(width_, spreads_, shrink, nodes_);
    }
    write_sides();
    return std::move(nodes_);
}

}  // namespace ramify
