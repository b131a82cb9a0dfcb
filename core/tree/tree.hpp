// The tree as data: conditions, nodes and competitors. Nothing in it tells who grew it. Invariant
// (checked on construction): children of a node are consecutive, come after it and know it as their
// parent; every index stays inside its array; levels of a node ascend; the proportions of siblings
// add up to one; the expansions number the internal nodes from 0 on, parents first. check()
// verifies the rest: weights add up, no branch is without levels.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "criteria/costs.hpp"
#include "support/choices.hpp"
#include "support/interrupt.hpp"
#include "support/large_memory.hpp"

namespace ramify {

enum class Task : std::uint8_t { classification, regression };
template <>
inline constexpr auto names_of<Task> = list_names("classification", "regression");
enum class ConditionKind : std::uint8_t { leaf, threshold, subset, multiway };
// Where a level goes that no training row had: with the missing values, or into the heaviest
// branch. "error": the caller refuses such rows before they get here.
enum class Unseen : std::uint8_t { missing, majority, error };
template <>
inline constexpr auto names_of<Unseen> = list_names("missing", "majority", "error");

// The branch of every level, ascending by code: what a subset or multiway condition answers.
struct LevelLists {
    RawVector<std::int64_t> start{0};
    RawVector<std::int32_t> code;
    RawVector<std::int32_t> branch;
};

// The key of a node that a skeleton demands: no pruning makes it a leaf.
inline constexpr double never_pruned = std::numeric_limits<double>::infinity();

struct TreeArrays {
    // one entry per node
    RawVector<std::int32_t> parent, first_child, n_children, depth, attribute, missing_to,
        expansion;
    RawVector<std::uint8_t> kind;
    RawVector<std::int64_t> rows;
    RawVector<double> threshold, proportion, weight, impurity, gain, log_p, key, prediction,
        spread;               // standard deviation of targets, where the impurity is not its square
    RawVector<double> value;  // nodes x width
    LevelLists levels;
    // competitors of a node: competitor_start[node] .. competitor_start[node + 1]
    RawVector<std::int64_t> competitor_start{0};
    RawVector<std::int32_t> competitor_attribute, competitor_missing_to;
    RawVector<std::uint8_t> competitor_kind;
    RawVector<double> competitor_threshold, competitor_gain, competitor_log_p;
    LevelLists competitor_levels;

    template <typename Self, typename Visit>
    static void fields(Self& a, Visit&& visit) {
        visit("parent", a.parent);
        visit("first_child", a.first_child);
        visit("n_children", a.n_children);
        visit("depth", a.depth);
        visit("kind", a.kind);
        visit("attribute", a.attribute);
        visit("threshold", a.threshold);
        visit("missing_to", a.missing_to);
        visit("proportion", a.proportion);
        visit("rows", a.rows);
        visit("weight", a.weight);
        visit("impurity", a.impurity);
        visit("gain", a.gain);
        visit("log_p", a.log_p);
        visit("expansion", a.expansion);
        visit("key", a.key);
        visit("prediction", a.prediction);
        visit("spread", a.spread);
        visit("value", a.value);
        visit("level_start", a.levels.start);
        visit("level_code", a.levels.code);
        visit("level_branch", a.levels.branch);
        visit("competitor_start", a.competitor_start);
        visit("competitor_attribute", a.competitor_attribute);
        visit("competitor_kind", a.competitor_kind);
        visit("competitor_threshold", a.competitor_threshold);
        visit("competitor_gain", a.competitor_gain);
        visit("competitor_log_p", a.competitor_log_p);
        visit("competitor_missing_to", a.competitor_missing_to);
        visit("competitor_level_start", a.competitor_levels.start);
        visit("competitor_level_code", a.competitor_levels.code);
        visit("competitor_level_branch", a.competitor_levels.branch);
    }
    bool forced(std::size_t node) const { return key[node] == never_pruned; }
    // Older trees lack some arrays. Fills in the array of this name, after the array of gains
    // beside it has been read. False if every tree has the array.
    bool make_up_for(std::string_view name);
    static bool came_later(std::string_view name) {
        return name == "log_p" || name == "spread" || name == "competitor_log_p";
    }
};

// A column to predict from: doubles (NaN: missing) or codes (-1: missing, -2: unseen), with any
// stride.
struct PredictColumn {
    const double* values = nullptr;
    const float* floats = nullptr;  // numbers, too
    const std::int32_t* codes = nullptr;
    std::ptrdiff_t stride = 1;

    bool numeric() const { return codes == nullptr; }
    double number(std::size_t row) const {
        const auto at = static_cast<std::ptrdiff_t>(row) * stride;
        return floats != nullptr ? static_cast<double>(floats[at]) : values[at];
    }
    // The numbers, if they are of this type; otherwise null.
    template <typename T>
    const T* numbers() const {
        if constexpr (std::is_same_v<T, float>) return floats;
        if constexpr (std::is_same_v<T, double>) return values;
    }
};

// A request to predict some rows.
struct Request {
    std::span<const PredictColumn> columns;
    std::size_t rows;
    Unseen unseen;
    int threads;
    Interrupt& interrupt;  // polled every few thousand visits of nodes
};

// The array where the answers of many trees are added up: rows x width, in any layout.
struct Scores {
    double* data = nullptr;
    std::size_t width = 0;
    std::ptrdiff_t row_stride = 0;
    std::ptrdiff_t column_stride = 0;

    double& at(std::size_t row, std::size_t column) const {
        return data[static_cast<std::ptrdiff_t>(row) * row_stride +
                    static_cast<std::ptrdiff_t>(column) * column_stride];
    }
};

// The answer of least expected cost for these class shares; ties go to the first. `costs` (true
// class x answer) may be empty. The answers are the classes and, if the costs have a column for it,
// to abstain.
std::size_t decide(const double* shares, std::size_t classes, std::span<const double> costs);

class Tree {
  public:
    Tree(Task task, std::size_t columns, std::size_t width, TreeArrays arrays);
    TreeArrays release() && { return std::move(arrays_); }

    Task task() const { return task_; }
    std::size_t columns() const { return columns_; }
    std::size_t width() const { return width_; }  // classes, or the three moments of a target
    // Numbers that it predicts: a share of every class, or one.
    std::size_t outputs() const { return task_ == Task::classification ? width_ : 1; }
    // Throws std::invalid_argument if a regression tree has several outputs.
    static std::size_t width_of(Task task, std::size_t outputs);
    std::size_t size() const { return arrays_.parent.size(); }
    const TreeArrays& arrays() const { return arrays_; }

    // The share of a class in a node. In a node without weight all classes have the same share.
    double share(std::size_t node, std::size_t label) const {
        const double weight = arrays_.weight[node];
        return weight > 0.0 ? arrays_.value[node * width_ + label] / weight
                            : 1.0 / static_cast<double>(width_);
    }

    void shares_of(std::size_t node, double* to) const {
        for (std::size_t j = 0; j < width_; ++j) to[j] = share(node, j);
    }

    void check() const;  // throws std::invalid_argument naming node and invariant

    // The answer of a node as a leaf, by the shares that predict() gives.
    std::size_t label(std::size_t node, std::span<const double> costs) const;

    // The leaf that holds the largest share of each row.
    void apply(const Request& request, std::int64_t* leaves) const;
    // Class shares (rows x classes), or the predicted target (rows).
    void predict(const Request& request, double* out) const;
    // Adds the values of its leaf to each row. `values` holds `to.width` numbers per node.
    void accumulate(const Request& request, const double* values, Scores to) const;
    // The answer of decide() for the shares of predict().
    void predict_class(const Request& request, std::span<const double> costs,
                       std::int64_t* out) const;
    // All nodes that row r visits with any share, ascending: `indices[indptr[r]] ..
    // indices[indptr[r + 1]]`. Uses one thread.
    void paths(const Request& request, std::vector<std::int64_t>& indptr,
               std::vector<std::int64_t>& indices) const;

  private:
    // What a walking row reads of a node: sixteen bytes, four nodes to a cache line.
    struct Step {
        double threshold;
        std::int32_t attribute;
        std::int32_t first_child;  // of a leaf: itself, so that rows in step can wait there
    };
    friend struct Walker;

    void validate() const;
    void validate_condition(std::size_t node) const;
    void validate_proportions() const;
    void validate_expansions() const;
    void prepare();
    void check_branches(std::size_t node) const;

    Task task_;
    std::size_t columns_;
    std::size_t width_;
    TreeArrays arrays_;
    std::vector<Step> steps_;
    std::vector<std::int32_t> majority_;  // branch of the largest proportion
    bool thresholds_only_ = true;
};

}  // namespace ramify
