#include "optimal/features/tree_of_splits.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "criteria/costs.hpp"
#include "criteria/criterion.hpp"
#include "criteria/deviance.hpp"
#include "criteria/quantile_of.hpp"
#include "splits/numeric.hpp"

namespace ramify::optimal {
namespace {

using Rows = std::vector<std::uint32_t>;

struct Condition {
    ConditionKind kind = ConditionKind::leaf;
    std::int32_t column = -1;
    double threshold = std::numeric_limits<double>::quiet_NaN();
    std::int32_t missing_to = -1;
    std::vector<std::int32_t> levels, branches;
    bool swapped = false;  // the first branch has the rows on the right of the split
};

Condition levels_of(const Column& column, const Rows& left, const Rows& right) {
    std::vector<std::int32_t> branch(column.levels, -1);
    const auto mark = [&](const Rows& rows, std::int32_t to) {
        for (const std::uint32_t row : rows) {
            if (!column.missing(row)) branch[static_cast<std::size_t>(column.codes[row])] = to;
        }
    };
    mark(left, 0);
    mark(right, 1);
    Condition found;
    found.kind = ConditionKind::subset;
    for (std::size_t level = 0; level < branch.size(); ++level) {
        if (branch[level] < 0) continue;
        found.levels.push_back(static_cast<std::int32_t>(level));
        found.branches.push_back(branch[level]);
    }
    return found;
}

Condition condition_of(const Table& table, std::int32_t index, const Rows& left,
                       const Rows& right) {
    const Column& column = table[static_cast<std::size_t>(index)];
    const auto known = [&](const Rows& rows) {
        return static_cast<std::size_t>(std::count_if(
            rows.begin(), rows.end(), [&](std::uint32_t row) { return !column.missing(row); }));
    };
    const std::size_t known_left = known(left), known_right = known(right);
    Condition found;
    if (known_left == 0 || known_right == 0) {  // known on one side, missing on the other
        found.kind = ConditionKind::threshold;
        found.threshold = std::numeric_limits<double>::infinity();
        found.missing_to = 1;
        found.swapped = known_left == 0;
    } else if (column.kind == Kind::nominal) {
        found = levels_of(column, left, right);
    } else {
        found.kind = ConditionKind::threshold;
        double low = -std::numeric_limits<double>::infinity(), high = -low;
        for (const std::uint32_t row : left) {
            if (!column.missing(row)) low = std::max(low, column.value(row));
        }
        for (const std::uint32_t row : right) {
            if (!column.missing(row)) high = std::min(high, column.value(row));
        }
        found.threshold = threshold_between(low, high);
    }
    found.column = index;
    if (found.missing_to < 0) {
        found.missing_to = known_left < left.size() ? 0 : known_right < right.size() ? 1 : -1;
    }
    return found;
}

// What a node keeps of its rows.
class Counter {
  public:
    explicit Counter(const NodeTarget& target)
        : target_(target), width_(target.task == Task::regression ? 3 : target.classes) {
        if (target.task == Task::classification) {
            gini_ = make_criterion("gini", {0.0, mixing_costs(target.classes, target.costs)});
        }
    }

    std::size_t width() const { return width_; }
    double weight(std::uint32_t row) const {
        return target_.weights.empty() ? 1.0 : target_.weights[row];
    }
    double weight(const Rows& rows) const {
        if (target_.weights.empty()) return static_cast<double>(rows.size());
        double sum = 0.0;
        for (const std::uint32_t row : rows) sum += target_.weights[row];
        return sum;
    }

    void add(const Rows& rows, TreeArrays& to) const {
        std::vector<double> sums(width_, 0.0);
        double weight = 0.0, impurity = 0.0;
        double prediction = std::numeric_limits<double>::quiet_NaN(), spread = prediction;
        if (target_.task == Task::classification) {
            for (const std::uint32_t row : rows) {
                sums[static_cast<std::size_t>(target_.labels[row])] += this->weight(row);
            }
            for (const double sum : sums) weight += sum;
            impurity = gini_->impurity(sums.data(), width_);
        } else {
            count_numbers(rows, sums, prediction, impurity);
            weight = sums[0];
            if (target_.objective.measure != NumberMeasure::squared) {
                spread = std::sqrt(impurity);
                judge(rows, weight, prediction, impurity);
            }
        }
        to.spread.push_back(spread);
        to.value.insert(to.value.end(), sums.begin(), sums.end());
        to.weight.push_back(weight);
        to.impurity.push_back(impurity);
        to.prediction.push_back(prediction);
        to.rows.push_back(static_cast<std::int64_t>(rows.size()));
    }

  private:
    // The variance in two passes: the difference of the sums loses digits if the target is far from
    // zero. `rest` corrects for the rounding of the mean.
    void count_numbers(const Rows& rows, std::vector<double>& sums, double& mean,
                       double& variance) const {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const std::uint32_t row : rows) {
            const double y = target_.target[row], w = weight(row);
            sums[0] += w;
            sums[1] += w * y;
            sums[2] += w * y * y;
            low = std::min(low, y);
            high = std::max(high, y);
        }
        mean = std::clamp(sums[1] / sums[0], low, high);
        double off = 0.0, squares = 0.0;
        for (const std::uint32_t row : rows) {
            const double difference = target_.target[row] - mean;
            off += weight(row) * difference;
            squares += weight(row) * difference * difference;
        }
        variance = std::max(0.0, squares - off * off / sums[0]) / sums[0];
    }

    // What the leaf predicts, and its mean loss, where that is not the squared error. A deviance
    // keeps the mean.
    void judge(const Rows& rows, double weight, double& prediction, double& mean_loss) const {
        const NumberObjective& objective = target_.objective;
        const RankLoss rule = objective.rule();
        if (objective.by_ranks()) {
            std::vector<std::pair<double, double>> pairs;
            for (const std::uint32_t row : rows)
                pairs.emplace_back(target_.target[row], this->weight(row));
            constexpr double slack = 1e-9;  // as in trees that grow
            prediction = quantile_of(std::move(pairs), rule, slack);
        }
        double sum = 0.0;
        for (const std::uint32_t row : rows) {
            const double y = target_.target[row], off = y - prediction;
            const double loss = objective.by_ranks() ? (off > 0.0 ? rule.above : -rule.below) * off
                                : objective.measure == NumberMeasure::poisson
                                    ? PoissonDeviance::of(y, prediction)
                                    : GammaDeviance::of(y, prediction);
            sum += this->weight(row) * loss;
        }
        mean_loss = sum / weight;
    }

    const NodeTarget& target_;
    std::size_t width_;
    std::unique_ptr<Criterion> gini_;
};

// The nodes of a tree under construction, level by level, so that siblings are neighbours.
class Builder {
  public:
    Builder(const FeatureSet& features, const Table& table, const NodeTarget& target,
            std::span<const FixedCondition> fixed)
        : features_(features), table_(table), counter_(target), fixed_(fixed) {}

    TreeArrays build(const NodeList& splits) {
        Rows all(table_.rows());
        for (std::size_t row = 0; row < all.size(); ++row)
            all[row] = static_cast<std::uint32_t>(row);
        add(-1, 0, 1.0, std::move(all));
        std::vector<std::int32_t> order{0};  // the splits of the nodes
        std::int32_t inner = 0;
        for (std::size_t node = 0; node < order.size(); ++node) {
            const Node split = splits[static_cast<std::size_t>(order[node])];
            a_.expansion.push_back(split.column == -1 ? -1 : inner++);
            a_.key.push_back(is_fixed(split.column) ? never_pruned
                                                    : std::numeric_limits<double>::quiet_NaN());
            if (split.column == -1) {
                add_condition({});
                continue;
            }
            if (is_fixed(split.column)) {
                const std::int32_t children =
                    divide_as_fixed(static_cast<std::int32_t>(node), fixed_of(split.column));
                if (children != split.right)
                    throw std::invalid_argument("splits: wrong number of branches");
                for (std::int32_t child = 0; child < children; ++child)
                    order.push_back(split.left + child);
                continue;
            }
            const bool swapped = divide(static_cast<std::int32_t>(node), split);
            order.push_back(swapped ? split.right : split.left);
            order.push_back(swapped ? split.left : split.right);
        }
        finish();
        return std::move(a_);
    }

  private:
    void add(std::int32_t parent, std::int32_t depth, double proportion, Rows rows) {
        a_.parent.push_back(parent);
        a_.depth.push_back(depth);
        a_.first_child.push_back(-1);
        a_.n_children.push_back(0);
        a_.proportion.push_back(proportion);
        a_.gain.push_back(0.0);
        counter_.add(rows, a_);
        rows_.push_back(std::move(rows));
    }

    void add_condition(const Condition& condition) {
        a_.kind.push_back(static_cast<std::uint8_t>(condition.kind));
        a_.attribute.push_back(condition.column);
        a_.threshold.push_back(condition.threshold);
        a_.missing_to.push_back(condition.missing_to);
        a_.levels.code.insert(a_.levels.code.end(), condition.levels.begin(),
                              condition.levels.end());
        a_.levels.branch.insert(a_.levels.branch.end(), condition.branches.begin(),
                                condition.branches.end());
        a_.levels.start.push_back(static_cast<std::int64_t>(a_.levels.code.size()));
    }

    // Makes the two children of a node; tells whether they are swapped.
    bool divide(std::int32_t node, const Node& split) {
        const auto at = static_cast<std::size_t>(node);
        const SearchColumn feature = features_[static_cast<std::size_t>(split.column)];
        Rows parts[2];
        for (const std::uint32_t row : rows_[at]) {
            parts[feature[row] > split.code ? 1 : 0].push_back(row);
        }
        rows_[at] = {};
        const std::int32_t column = features_.column(static_cast<std::size_t>(split.column));
        const Condition condition = condition_of(table_, column, parts[0], parts[1]);
        if (condition.swapped) std::swap(parts[0], parts[1]);
        add_condition(condition);
        // Proportions count known values only, unless the node asks whether a value is missing.
        const bool all = condition.missing_to < 0 ||
                         condition.threshold == std::numeric_limits<double>::infinity();
        add_children(at, column, parts, all);
        return condition.swapped;
    }

    // Makes the children of a node whose condition is laid down, one for each branch that has rows;
    // gives their number.
    std::int32_t divide_as_fixed(std::int32_t node, std::size_t number) {
        const auto at = static_cast<std::size_t>(node);
        const FixedCondition& fixed = fixed_[number];
        const Column& cells = table_[static_cast<std::size_t>(fixed.column)];
        std::vector<Rows> branches(static_cast<std::size_t>(fixed.branches));
        for (const std::uint32_t row : rows_[at]) {
            const std::int32_t branch = fixed.branch_of(table_, row);
            if (branch < 0 || branch >= fixed.branches)
                throw std::invalid_argument("splits: a row has no branch");
            branches[static_cast<std::size_t>(branch)].push_back(row);
        }
        std::vector<std::int32_t> number_of(branches.size(), -1);
        std::vector<Rows> kept;
        for (std::size_t b = 0; b < branches.size(); ++b) {
            if (branches[b].empty()) continue;
            number_of[b] = static_cast<std::int32_t>(kept.size());
            kept.push_back(std::move(branches[b]));
        }
        Condition condition;
        condition.kind = fixed.kind;
        condition.column = fixed.column;
        if (fixed.missing_to >= 0)
            condition.missing_to = number_of[static_cast<std::size_t>(fixed.missing_to)];
        if (fixed.kind == ConditionKind::threshold) {
            condition.threshold = fixed.threshold;
        } else {
            std::vector<bool> here(cells.levels, false);
            for (const Rows& rows : kept) {
                for (const std::uint32_t row : rows) {
                    if (!cells.missing(row))
                        here[static_cast<std::size_t>(cells.codes[row])] = true;
                }
            }
            for (std::size_t code = 0; code < here.size(); ++code) {
                if (!here[code]) continue;
                condition.levels.push_back(static_cast<std::int32_t>(code));
                condition.branches.push_back(
                    number_of[static_cast<std::size_t>(fixed.branch_of_code[code])]);
            }
        }
        rows_[at] = {};
        add_condition(condition);
        add_children(at, fixed.column, kept, condition.missing_to < 0);
        return static_cast<std::int32_t>(kept.size());
    }

    // `all`: rows without a value count for the proportions, too. They do in any case if a branch
    // has no others.
    void add_children(std::size_t at, std::int32_t column, std::span<Rows> parts, bool all) {
        const Column& cells = table_[static_cast<std::size_t>(column)];
        std::vector<double> weights;
        double sum = 0.0;
        const auto weigh = [&] {
            weights.clear();
            sum = 0.0;
            for (const Rows& part : parts) {
                Rows with_value;
                if (!all) {
                    std::copy_if(part.begin(), part.end(), std::back_inserter(with_value),
                                 [&](std::uint32_t row) { return !cells.missing(row); });
                }
                weights.push_back(counter_.weight(all ? part : with_value));
                sum += weights.back();
            }
        };
        weigh();
        if (std::find(weights.begin(), weights.end(), 0.0) != weights.end()) {
            all = true;
            weigh();
        }
        a_.first_child[at] = static_cast<std::int32_t>(a_.parent.size());
        a_.n_children[at] = static_cast<std::int32_t>(parts.size());
        for (std::size_t side = 0; side < parts.size(); ++side) {
            add(static_cast<std::int32_t>(at), a_.depth[at] + 1, weights[side] / sum,
                std::move(parts[side]));
        }
    }

    void finish() {
        const std::size_t nodes = a_.parent.size();
        for (std::size_t node = 0; node < nodes; ++node) {
            if (a_.first_child[node] < 0) continue;
            const auto first = static_cast<std::size_t>(a_.first_child[node]);
            double below = 0.0;
            for (std::size_t b = 0; b < static_cast<std::size_t>(a_.n_children[node]); ++b)
                below += a_.weight[first + b] * a_.impurity[first + b];
            a_.gain[node] = std::max(a_.impurity[node] - below / a_.weight[node], 0.0);
        }
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        a_.log_p.assign(nodes, unknown);
        a_.competitor_start.assign(nodes + 1, 0);
    }

    const FeatureSet& features_;
    const Table& table_;
    Counter counter_;
    std::span<const FixedCondition> fixed_;
    TreeArrays a_;
    std::vector<Rows> rows_;
};

}  // namespace

Tree tree_of_splits(const NodeList& splits, const FeatureSet& features, const Table& table,
                    const NodeTarget& target, std::span<const FixedCondition> fixed) {
    const std::size_t width = target.task == Task::regression ? 3 : target.classes;
    return Tree(target.task, table.size(), width,
                Builder(features, table, target, fixed).build(splits));
}

}  // namespace ramify::optimal
