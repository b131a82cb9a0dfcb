// What must hold of a tree. validate() checks what every reader relies on so as not to leave the
// arrays; it runs for every tree, grown or read from a file. check() also checks the sums of
// weights.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tree/tree.hpp"

namespace ramify {
namespace {

[[noreturn]] void fail(std::size_t node, const std::string& what) {
    throw std::invalid_argument("node " + std::to_string(node) + ": " + what);
}

void require(bool holds, std::size_t node, const char* what) {
    if (!holds) fail(node, what);
}

void require_lists(const LevelLists& lists, std::size_t size, const char* what) {
    bool good = lists.start.size() == size + 1 && lists.start[0] == 0 &&
                lists.code.size() == lists.branch.size() &&
                lists.start.back() == static_cast<std::int64_t>(lists.code.size());
    for (std::size_t i = 0; good && i < size; ++i) good = lists.start[i] <= lists.start[i + 1];
    if (!good) throw std::invalid_argument(std::string(what) + ": level lists do not fit");
}

bool near(double a, double b, double scale) {
    return std::abs(a - b) <= 1e-6 * scale + 1e-9;
}

}  // namespace

bool TreeArrays::make_up_for(std::string_view name) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    if (name == "log_p") log_p.assign(gain.size(), nothing);
    if (name == "competitor_log_p") competitor_log_p.assign(competitor_gain.size(), nothing);
    return came_later(name);
}

std::size_t Tree::width_of(Task task, std::size_t outputs) {
    constexpr std::size_t moments = 3;
    if (task == Task::classification) return outputs;
    if (outputs != 1) throw std::invalid_argument("a regression tree has one output");
    return moments;
}

void Tree::validate() const {
    const TreeArrays& a = arrays_;
    const std::size_t n = a.parent.size();
    if (n == 0) throw std::invalid_argument("a tree has at least one node");
    if (columns_ == 0) throw std::invalid_argument("a tree needs at least one column");
    if (n > 0x7fffffff) throw std::invalid_argument("a tree has at most 2**31 - 1 nodes");
    const bool sizes = a.first_child.size() == n && a.n_children.size() == n &&
                       a.depth.size() == n && a.attribute.size() == n && a.missing_to.size() == n &&
                       a.expansion.size() == n && a.kind.size() == n && a.rows.size() == n &&
                       a.threshold.size() == n && a.proportion.size() == n &&
                       a.weight.size() == n && a.impurity.size() == n && a.gain.size() == n &&
                       a.log_p.size() == n && a.key.size() == n && a.prediction.size() == n &&
                       (a.spread.empty() || a.spread.size() == n) && a.value.size() == n * width_;
    if (!sizes) throw std::invalid_argument("the arrays of a tree differ in length");
    if (width_ == 0 || (task_ == Task::regression && width_ != 3)) {
        throw std::invalid_argument("a tree needs at least one class, or three moments");
    }
    const std::size_t m = a.competitor_attribute.size();
    if (a.competitor_kind.size() != m || a.competitor_threshold.size() != m ||
        a.competitor_gain.size() != m || a.competitor_log_p.size() != m ||
        a.competitor_missing_to.size() != m) {
        throw std::invalid_argument("the arrays of the competitors differ in length");
    }
    require_lists(a.levels, n, "nodes");
    require_lists(a.competitor_levels, m, "competitors");
    if (a.competitor_start.size() != n + 1 || a.competitor_start[0] != 0 ||
        a.competitor_start.back() != static_cast<std::int64_t>(m)) {
        throw std::invalid_argument("competitor_start does not fit");
    }
    std::int64_t next_child = 1;
    for (std::size_t i = 0; i < n; ++i) {
        require(a.competitor_start[i] <= a.competitor_start[i + 1], i, "competitor_start falls");
        require(a.kind[i] <= 3, i, "kind is not 0, 1, 2 or 3");
        require(a.rows[i] >= 0, i, "rows is below zero");
        require(std::isfinite(a.weight[i]) && a.weight[i] >= 0.0, i, "weight is not 0 or above");
        require(a.proportion[i] >= 0.0 && a.proportion[i] <= 1.0, i,
                "proportion is not between 0 and 1");
        if (i == 0) {
            require(a.parent[0] == -1 && a.depth[0] == 0, 0, "the root has no parent and depth 0");
        } else {
            const std::int32_t p = a.parent[i];
            require(p >= 0 && static_cast<std::size_t>(p) < i, i, "parent is not an earlier node");
            const auto parent = static_cast<std::size_t>(p);
            const std::int64_t first = a.first_child[parent];
            require(first >= 0 && static_cast<std::int64_t>(i) >= first &&
                        static_cast<std::int64_t>(i) < first + a.n_children[parent],
                    i, "its parent does not have it as a child");
            require(a.depth[i] == a.depth[parent] + 1, i,
                    "depth is not that of its parent plus one");
        }
        if (a.kind[i] == 0) {
            require(a.first_child[i] == -1 && a.n_children[i] == 0, i, "a leaf has children");
            require(a.expansion[i] == -1, i, "a leaf has an expansion number");
            continue;
        }
        require(a.n_children[i] >= 2, i, "an internal node needs at least two children");
        require(a.kind[i] == 3 || a.n_children[i] == 2, i, "a binary condition has two children");
        const std::int64_t first = a.first_child[i];
        require(first > static_cast<std::int64_t>(i) &&
                    first + a.n_children[i] <= static_cast<std::int64_t>(n),
                i, "children lie outside the tree");
        next_child += a.n_children[i];
        require(a.attribute[i] >= 0 && static_cast<std::size_t>(a.attribute[i]) < columns_, i,
                "attribute is not a column");
        require(a.missing_to[i] >= -1 && a.missing_to[i] < a.n_children[i], i,
                "missing_to is not a branch");
        validate_condition(i);
    }
    if (next_child != static_cast<std::int64_t>(n)) {
        throw std::invalid_argument("the nodes do not form one tree");
    }
    validate_proportions();
    validate_expansions();
}

void Tree::validate_condition(std::size_t node) const {
    const TreeArrays& a = arrays_;
    const auto begin = static_cast<std::size_t>(a.levels.start[node]);
    const auto end = static_cast<std::size_t>(a.levels.start[node + 1]);
    if (a.kind[node] == 1) {
        require(!std::isnan(a.threshold[node]), node, "a threshold is not a number");
        require(begin == end, node, "a threshold condition lists levels");
    }
    for (std::size_t l = begin; l < end; ++l) {
        require(a.levels.code[l] >= 0, node, "a level code is negative");
        require(l == begin || a.levels.code[l - 1] < a.levels.code[l], node,
                "the codes of its levels do not rise");
        require(a.levels.branch[l] >= 0 && a.levels.branch[l] < a.n_children[node], node,
                "a level goes to no branch");
    }
}

// A row whose branch is not known is divided among the children, and no part of it may get lost.
void Tree::validate_proportions() const {
    const TreeArrays& a = arrays_;
    for (std::size_t i = 0; i < size(); ++i) {
        if (a.kind[i] == 0) continue;
        double sum = 0.0;
        for (std::int32_t b = 0; b < a.n_children[i]; ++b)
            sum += a.proportion[static_cast<std::size_t>(a.first_child[i] + b)];
        require(near(sum, 1.0, 1.0), i, "the proportions of its branches do not add up to 1");
    }
}

// Every internal node is one expansion, and comes after its parent.
void Tree::validate_expansions() const {
    const TreeArrays& a = arrays_;
    const auto inner = static_cast<std::int64_t>(
        std::count_if(a.kind.begin(), a.kind.end(), [](std::uint8_t kind) { return kind != 0; }));
    std::vector<bool> taken(static_cast<std::size_t>(inner), false);
    for (std::size_t i = 0; i < size(); ++i) {
        if (a.kind[i] == 0) continue;
        const std::int32_t number = a.expansion[i];
        require(number >= 0 && number < inner, i,
                "the expansion number is not below that of internal nodes");
        require(!taken[static_cast<std::size_t>(number)], i,
                "the expansion number is that of another node");
        taken[static_cast<std::size_t>(number)] = true;
        require(a.parent[i] < 0 || a.expansion[static_cast<std::size_t>(a.parent[i])] < number, i,
                "expanded before its parent");
    }
}

void Tree::check_branches(std::size_t node) const {
    const TreeArrays& a = arrays_;
    if (a.kind[node] == 1) return;
    const auto begin = static_cast<std::size_t>(a.levels.start[node]);
    const auto end = static_cast<std::size_t>(a.levels.start[node + 1]);
    std::vector<bool> used(static_cast<std::size_t>(a.n_children[node]), false);
    for (std::size_t l = begin; l < end; ++l)
        used[static_cast<std::size_t>(a.levels.branch[l])] = true;
    if (a.missing_to[node] >= 0) used[static_cast<std::size_t>(a.missing_to[node])] = true;
    for (const bool branch : used) require(branch, node, "a branch has no level");
}

void Tree::check() const {
    const TreeArrays& a = arrays_;
    for (std::size_t i = 0; i < size(); ++i) {
        const double* value = a.value.data() + i * width_;
        double sum = 0.0;
        for (std::size_t j = 0; j < width_; ++j) {
            require(task_ == Task::regression || value[j] >= 0.0, i,
                    "a class weight is below zero");
            sum += value[j];
        }
        if (task_ == Task::regression) sum = value[0];
        require(near(sum, a.weight[i], a.weight[i]), i,
                "class weights do not add up to the weight");
        if (a.kind[i] == 0) continue;
        check_branches(i);
        double weight = 0.0;
        std::vector<double> sums(width_, 0.0);
        const auto first = static_cast<std::size_t>(a.first_child[i]);
        for (std::size_t c = first; c < first + static_cast<std::size_t>(a.n_children[i]); ++c) {
            weight += a.weight[c];
            for (std::size_t j = 0; j < width_; ++j) sums[j] += a.value[c * width_ + j];
        }
        require(near(weight, a.weight[i], a.weight[i]), i,
                "the weights of its children do not add up");
        for (std::size_t j = 0; j < width_; ++j) {
            const double scale =
                task_ == Task::regression ? std::abs(value[2]) + std::abs(value[j]) : a.weight[i];
            require(near(sums[j], value[j], scale), i,
                    "the class weights of its children do not add up");
        }
    }
}

}  // namespace ramify
