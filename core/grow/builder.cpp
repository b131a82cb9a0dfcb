#include "grow/builder.hpp"

#include <limits>

#include "grow/frontier.hpp"

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

}  // namespace

std::int32_t Builder::add(const NodeStats& stats, std::int32_t parent, std::int32_t depth) {
    BuiltNode& node = nodes_.emplace_back();
    node.parent = parent;
    node.depth = depth;
    node.weight = stats.weight;
    node.impurity = stats.impurity;
    node.prediction = stats.prediction;
    node.rows = stats.rows;
    values_.insert(values_.end(), stats.sums.begin(), stats.sums.end());
    return static_cast<std::int32_t>(nodes_.size() - 1);
}

BuiltSide& Builder::side(std::int32_t id) {
    BuiltNode& owner = node(id);
    if (owner.side < 0) {
        owner.side = static_cast<std::int32_t>(sides_.size());
        sides_.emplace_back();
    }
    return sides_[static_cast<std::size_t>(owner.side)];
}

void Builder::graft(std::int32_t leaf, Builder&& subtree) {
    // Node i > 0 of the subtree becomes node base + i; its node 0 is the leaf itself.
    const auto base = static_cast<std::int32_t>(nodes_.size()) - 1;
    const auto side_base = static_cast<std::int32_t>(sides_.size());
    for (std::size_t i = 0; i < subtree.nodes_.size(); ++i) {
        BuiltNode node = subtree.nodes_[i];
        if (node.first_child >= 0) node.first_child += base;
        if (node.side >= 0) node.side += side_base;
        if (i == 0) {
            BuiltNode& own = nodes_[static_cast<std::size_t>(leaf)];
            node.parent = own.parent;
            node.proportion = own.proportion;
            if (own.side >= 0) {
                // What nearly won was written when the leaf was looked at, the levels when it was
                // expanded.
                if (subtree.nodes_[0].side >= 0) {
                    auto& written =
                        subtree.sides_[static_cast<std::size_t>(subtree.nodes_[0].side)];
                    sides_[static_cast<std::size_t>(own.side)].levels = std::move(written.levels);
                }
                node.side = own.side;
            }
            own = node;
        } else {
            node.parent = node.parent == 0 ? leaf : node.parent + base;
            nodes_.push_back(node);
        }
    }
    const auto offset = static_cast<std::ptrdiff_t>(width_);
    values_.insert(values_.end(), subtree.values_.begin() + offset, subtree.values_.end());
    for (auto& side : subtree.sides_) sides_.push_back(std::move(side));
}

TreeArrays Builder::finish(Growth growth, bool classification, double centre,
                           Interrupt& interrupt) {
    // Growing is over: replaying the frontier gives every expansion its number, whatever order the
    // threads worked in.
    Frontier frontier(growth);
    std::vector<std::int32_t> order{0};
    order.reserve(nodes_.size());
    const auto open = [&](std::int32_t id) {
        const BuiltNode& n = node(id);
        if (n.kind != ConditionKind::leaf) frontier.push(id, n.depth, n.gain, n.weight);
    };
    std::vector<std::int32_t> number(nodes_.size(), 0);
    std::int32_t expansions = 0;
    open(0);
    while (!frontier.empty()) {
        if (expansions % 1024 == 0) interrupt.poll();
        BuiltNode& n = node(frontier.pop());
        n.expansion = expansions++;
        for (std::int32_t c = n.first_child; c < n.first_child + n.n_children; ++c) {
            number[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(order.size());
            order.push_back(c);
            open(c);
        }
    }
    TreeArrays out;
    const std::size_t count = order.size();
    out.parent.reserve(count);
    for (auto* array : {&out.first_child, &out.n_children, &out.depth, &out.attribute,
                        &out.missing_to, &out.expansion}) {
        array->reserve(count);
    }
    for (auto* array : {&out.threshold, &out.proportion, &out.weight, &out.impurity, &out.gain,
                        &out.key, &out.prediction}) {
        array->reserve(count);
    }
    out.kind.reserve(count);
    out.rows.reserve(count);
    out.value.reserve(count * width_);
    out.levels.start.reserve(count + 1);
    out.competitor_start.reserve(count + 1);
    for (const std::int32_t id : order) {
        if (out.parent.size() % 1024 == 0) interrupt.poll();
        const BuiltNode& n = node(id);
        const bool leaf = n.kind == ConditionKind::leaf;
        out.parent.push_back(n.parent < 0 ? -1 : number[static_cast<std::size_t>(n.parent)]);
        out.first_child.push_back(leaf ? -1 : number[static_cast<std::size_t>(n.first_child)]);
        out.n_children.push_back(n.n_children);
        out.depth.push_back(n.depth);
        out.kind.push_back(static_cast<std::uint8_t>(n.kind));
        out.attribute.push_back(n.attribute);
        out.missing_to.push_back(n.missing_to);
        out.expansion.push_back(n.expansion);
        out.threshold.push_back(n.kind == ConditionKind::threshold ? n.threshold : nothing);
        out.proportion.push_back(n.proportion);
        out.weight.push_back(n.weight);
        out.impurity.push_back(n.impurity);
        out.gain.push_back(leaf ? 0.0 : n.gain);
        out.key.push_back(nothing);
        out.rows.push_back(n.rows);
        out.prediction.push_back(classification ? nothing : n.prediction + centre);
        const double* value = values_.data() + static_cast<std::size_t>(id) * width_;
        if (classification) {
            out.value.insert(out.value.end(), value, value + width_);
        } else {
            const double w = value[0];
            out.value.push_back(w);
            out.value.push_back(value[1] + centre * w);
            out.value.push_back(value[2] + 2.0 * centre * value[1] + centre * centre * w);
        }
        if (n.side >= 0 &&
            !leaf) {  // a leaf that no leaf limit was left for has competitors, but no split
            const BuiltSide& side = sides_[static_cast<std::size_t>(n.side)];
            for (const auto& [code, branch] : side.levels) {
                out.levels.code.push_back(code);
                out.levels.branch.push_back(branch);
            }
            for (const BuiltCondition& c : side.competitors) {
                out.competitor_attribute.push_back(c.attribute);
                out.competitor_kind.push_back(static_cast<std::uint8_t>(c.kind));
                out.competitor_threshold.push_back(c.kind == ConditionKind::threshold ? c.threshold
                                                                                      : nothing);
                out.competitor_gain.push_back(c.gain);
                out.competitor_missing_to.push_back(c.missing_to);
                append(out.competitor_levels, c.levels);
            }
        }
        out.levels.start.push_back(static_cast<std::int64_t>(out.levels.code.size()));
        out.competitor_start.push_back(static_cast<std::int64_t>(out.competitor_attribute.size()));
    }
    return out;
}

}  // namespace ramify
