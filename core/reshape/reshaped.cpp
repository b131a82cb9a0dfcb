#include "reshape/reshaped.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reshape/copy_node.hpp"

namespace ramify {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::size_t index(std::int32_t node) {
    return static_cast<std::size_t>(node);
}

}  // namespace

Reshaped::Reshaped(const Tree& tree)
    : tree_(tree), from_(tree.arrays()), width_(tree.width()), nodes_(tree.size()) {
    values_.assign(from_.value.begin(), from_.value.end());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Node& node = nodes_[i];
        node.origin = static_cast<std::int32_t>(i);
        node.rows = from_.rows[i];
        node.proportion = from_.proportion[i];
        node.impurity = from_.impurity[i];
        node.children.resize(index(from_.n_children[i]));
        std::iota(node.children.begin(), node.children.end(), from_.first_child[i]);
    }
}

double Reshaped::weight(std::int32_t node) const {
    const auto sums = value(node);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void Reshaped::raise(std::int32_t node, std::int32_t child) {
    Node branch = std::move(at(child));
    at(node).origin = branch.origin;
    at(node).children = std::move(branch.children);
    at(node).levels = std::move(branch.levels);
}

void Reshaped::add_branch(std::int32_t node, std::int32_t code) {
    const auto added = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({.origin = -1});
    values_.resize(values_.size() + width_, 0.0);
    at(node).levels.emplace_back(code, static_cast<std::int32_t>(at(node).children.size()));
    at(node).children.push_back(added);
}

void Reshaped::set_rows(std::int32_t node, std::int64_t rows, std::span<const double> value,
                        const Criterion& criterion) {
    std::copy(value.begin(), value.end(),
              values_.begin() + static_cast<std::ptrdiff_t>(index(node) * width_));
    at(node).rows = rows;
    const auto classes =
        std::count_if(value.begin(), value.end(), [](double weight) { return weight > 0.0; });
    at(node).impurity = classes > 1 ? criterion.impurity(value.data(), width_) : 0.0;
}

std::int32_t Reshaped::code(std::int32_t node, const Table& table, std::size_t row) const {
    const Column& column = table[index(from_.attribute[index((*this)[node].origin)])];
    return column.kind == Kind::numeric ? -1 : column.codes[row];
}

std::int32_t Reshaped::branch(std::int32_t node, const Table& table, std::size_t row) const {
    const std::size_t i = index((*this)[node].origin);
    const Column& column = table[index(from_.attribute[i])];
    const bool known =
        column.kind == Kind::numeric ? !std::isnan(column.values[row]) : column.codes[row] >= 0;
    if (!known) return missing;
    const auto kind = static_cast<ConditionKind>(from_.kind[i]);
    if (kind == ConditionKind::threshold) return column.value(row) <= from_.threshold[i] ? 0 : 1;
    const std::int32_t level = code(node, table, row);
    const auto begin = from_.levels.code.begin() + from_.levels.start[i];
    const auto end = from_.levels.code.begin() + from_.levels.start[i + 1];
    const auto found = std::lower_bound(begin, end, level);
    if (found != end && *found == level) {
        return from_.levels.branch[static_cast<std::size_t>(found - from_.levels.code.begin())];
    }
    if (kind == ConditionKind::subset) return unseen;
    for (const auto& [added, to] : (*this)[node].levels) {
        if (added == level) return to;
    }
    return absent;
}

// The internal nodes, in the order of their expansion.
std::vector<std::int32_t> Reshaped::expansions() const {
    std::vector<std::int32_t> inner;
    std::vector<std::int32_t> stack{0};
    while (!stack.empty()) {
        const std::int32_t node = stack.back();
        stack.pop_back();
        if (leaf(node)) continue;
        inner.push_back(node);
        stack.insert(stack.end(), (*this)[node].children.begin(), (*this)[node].children.end());
    }
    const auto number = [&](std::int32_t node) {
        return from_.expansion[index((*this)[node].origin)];
    };
    std::sort(inner.begin(), inner.end(),
              [&](std::int32_t a, std::int32_t b) { return number(a) < number(b); });
    return inner;
}

void Reshaped::append(TreeArrays& to, std::int32_t node) const {
    const Node& from = (*this)[node];
    const bool split = !leaf(node);
    const std::size_t i = split ? index(from.origin) : 0;  // not used for a leaf
    to.first_child.push_back(-1);
    to.n_children.push_back(static_cast<std::int32_t>(from.children.size()));
    to.expansion.push_back(-1);
    to.attribute.push_back(split ? from_.attribute[i] : -1);
    to.missing_to.push_back(split ? from_.missing_to[i] : -1);
    to.kind.push_back(split ? from_.kind[i] : static_cast<std::uint8_t>(ConditionKind::leaf));
    to.rows.push_back(from.rows);
    to.threshold.push_back(split ? from_.threshold[i] : nothing);
    to.proportion.push_back(from.proportion);
    to.weight.push_back(weight(node));
    to.impurity.push_back(from.impurity);
    to.gain.push_back(split ? from_.gain[i] : 0.0);
    to.log_p.push_back(split || from_.kind[i] == 0 ? from_.log_p[i] : nothing);
    to.key.push_back(forced(node) ? never_pruned : nothing);
    to.prediction.push_back(nothing);
    to.value.insert(to.value.end(), value(node).begin(), value(node).end());
    if (split) {
        auto levels = from.levels;
        for (auto l = static_cast<std::size_t>(from_.levels.start[i]);
             l < static_cast<std::size_t>(from_.levels.start[i + 1]); ++l) {
            levels.emplace_back(from_.levels.code[l], from_.levels.branch[l]);
        }
        std::sort(levels.begin(), levels.end());
        for (const auto& [code, branch] : levels) {
            to.levels.code.push_back(code);
            to.levels.branch.push_back(branch);
        }
        append_competitors(to, from_, i);
    }
    to.levels.start.push_back(static_cast<std::int64_t>(to.levels.code.size()));
    to.competitor_start.push_back(static_cast<std::int64_t>(to.competitor_attribute.size()));
}

Tree Reshaped::tree() const {
    TreeArrays to;
    std::vector<std::int32_t> order{0};
    std::vector<std::int32_t> number(nodes_.size(), 0);
    to.parent.push_back(-1);
    to.depth.push_back(0);
    const std::vector<std::int32_t> inner = expansions();
    for (const std::int32_t node : inner) {
        for (const std::int32_t child : (*this)[node].children) {
            number[index(child)] = static_cast<std::int32_t>(order.size());
            order.push_back(child);
            to.parent.push_back(number[index(node)]);
            to.depth.push_back(to.depth[index(number[index(node)])] + 1);
        }
    }
    for (const std::int32_t node : order) append(to, node);
    for (std::size_t e = 0; e < inner.size(); ++e) {
        const std::size_t i = index(number[index(inner[e])]);
        to.expansion[i] = static_cast<std::int32_t>(e);
        to.first_child[i] = number[index((*this)[inner[e]].children.front())];
    }
    return Tree(tree_.task(), tree_.columns(), width_, std::move(to));
}

}  // namespace ramify
