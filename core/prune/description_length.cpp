#include "prune/description_length.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "reshape/row_divider.hpp"
#include "splits/nominal/merge_levels.hpp"

namespace ramify {
namespace {

// Lengths that differ by less are equal: they are sums of logarithms.
constexpr double rounding = 1e-9;

// The predictive code of Krichevsky and Trofimov (1981): after n rows, of which n_j have class j,
// class j has the probability (n_j + 1/2) / (n + k/2). The length of the code does not depend on
// the order of the rows.
double exact_bits(std::span<const double> counts, double total, double classes) {
    double nats = std::lgamma(total + classes / 2.0) - std::lgamma(classes / 2.0);
    for (const double count : counts) {
        if (count > 0.0) nats -= std::lgamma(count + 0.5) - std::lgamma(0.5);
    }
    return nats / std::numbers::ln2;
}

// Formula (1) of Mehta et al. (1995). It holds for many rows; for few it would make the price of
// the distribution negative.
double mehta_bits(std::span<const double> counts, double total, double classes) {
    double bits = 0.0;
    for (const double count : counts) {
        if (count > 0.0) bits += count * std::log2(total / count);
    }
    const double price = (classes - 1.0) / 2.0 * std::log2(total / 2.0) +
                         (classes / 2.0 * std::log(std::numbers::pi) - std::lgamma(classes / 2.0)) /
                             std::numbers::ln2;
    return bits + std::max(price, 0.0);
}

// Rissanen's (1996) stochastic complexity: the bits of the rows by the best distribution, plus the
// logarithm of the number of distributions that this many rows can tell apart. Their centres lie in
// the range, and their spreads between that of rounding and half the range.
double number_bits(double spread, double total, const DescriptionOptions& options) {
    const bool normal = options.code == LeafCode::normal;
    const double unit = options.precision;
    const double range = options.range + unit;
    // The standard or mean absolute deviation of numbers that are rounded to the unit.
    const double least = normal ? unit / std::sqrt(12.0) : unit / 4.0;
    const double at = std::max(normal ? std::sqrt(spread) : spread, least);
    const double per_row =
        normal ? std::log2(std::sqrt(2.0 * std::numbers::pi * std::numbers::e) * (at / unit))
               : std::log2(2.0 * std::numbers::e * (at / unit));
    const double models = (normal ? std::numbers::sqrt2 : 1.0) * (range / least - 2.0);
    return total * per_row + std::log2(1.0 + total / (2.0 * std::numbers::pi)) +
           std::log2(std::max(models, 1.0));
}

// The values of a column among some rows.
struct Values {
    std::size_t distinct = 0;
    bool holes = false;
};

class Counter {
  public:
    explicit Counter(const Problem& problem) : problem_(problem) {}

    Values values(std::size_t attribute, std::span<const RowPart> parts) {
        const Column& column = problem_.table[attribute];
        Values result;
        known_.clear();
        for (const RowPart& part : parts) {
            if (missing(column, part.row)) {
                result.holes = true;
            } else {
                known_.push_back(column.value(part.row));
            }
        }
        std::sort(known_.begin(), known_.end());
        result.distinct =
            static_cast<std::size_t>(std::unique(known_.begin(), known_.end()) - known_.begin());
        return result;
    }

    // The number of columns that tell some of the rows apart. A hole counts as a value.
    std::size_t varying(std::span<const RowPart> parts) const {
        std::size_t count = 0;
        for (std::size_t c = 0; c < problem_.table.size(); ++c) {
            const Column& column = problem_.table[c];
            const bool first = missing(column, parts.front().row);
            const bool varies = std::any_of(parts.begin(), parts.end(), [&](const RowPart& part) {
                if (missing(column, part.row) != first) return true;
                return !first && column.value(part.row) != column.value(parts.front().row);
            });
            count += varies ? 1 : 0;
        }
        return count;
    }

  private:
    static bool missing(const Column& column, std::size_t row) {
        return column.kind == Kind::numeric ? std::isnan(column.values[row])
                                            : column.codes[row] < 0;
    }

    const Problem& problem_;
    std::vector<double> known_;
};

// What the length of a split's question depends on.
struct Question {
    ConditionKind kind;
    std::size_t branches;
    Kind column;
    bool sided;   // rows without a value all take one branch
    bool merges;  // levels were merged into the branches
};

// The logarithm of the number of possible questions about an attribute. If all rows without a value
// take one side, there are twice as many thresholds, and one question more: known or missing.
double question_bits(const Question& question, std::size_t distinct, bool missing) {
    const bool holes = question.sided && missing;
    const std::size_t levels = distinct + (holes ? 1 : 0);
    if (question.merges && question.column != Kind::numeric) {
        const bool ordered = question.column == Kind::ordinal;
        const double ways = log_ways_to_merge(levels, question.branches, ordered, ordered && holes);
        return std::log2(std::max(static_cast<double>(levels) - 1.0, 1.0)) +
               ways / std::numbers::ln2;
    }
    if (question.kind == ConditionKind::threshold) {
        const double cuts = std::max(static_cast<double>(distinct) - 1.0, 0.0);
        return std::log2(std::max(holes ? 2.0 * cuts + 1.0 : cuts, 1.0));
    }
    if (question.kind == ConditionKind::subset) {
        const double free = static_cast<double>(levels) - 1.0;  // one of the levels is left
        return free < 2.0 ? 0.0 : free + std::log1p(-std::exp2(-free)) / std::numbers::ln2;
    }
    return 0.0;  // a multiway split has a branch per level
}

}  // namespace

NodeValues count_values(const Problem& problem, const Tree& tree, Unseen unseen,
                        Interrupt& interrupt) {
    NodeValues values(tree.size());
    count_values_below(problem, tree, 0, {}, unseen, values, interrupt);
    if (tree.size() == 1) return values;
    const Reshaped nodes(tree);
    const NodeParts all = RowDivider(problem, nodes, unseen).all_rows();
    values.varying = Counter(problem).varying(all.parts);
    return values;
}

void count_values_below(const Problem& problem, const Tree& tree, std::int32_t top,
                        std::span<const double> fractions, Unseen unseen, NodeValues& values,
                        Interrupt& interrupt) {
    const TreeArrays& a = tree.arrays();
    const Reshaped nodes(tree);
    if (nodes.leaf(top)) return;
    RowDivider divider(problem, nodes, unseen);
    Counter counter(problem);
    std::vector<std::pair<std::int32_t, NodeParts>> work{{top, divider.all_rows(fractions)}};
    while (!work.empty()) {
        interrupt.poll();
        const auto [node, rows] = std::move(work.back());
        work.pop_back();
        const auto i = static_cast<std::size_t>(node);
        const Values found = counter.values(static_cast<std::size_t>(a.attribute[i]), rows.parts);
        values.distinct[i] = static_cast<std::int64_t>(found.distinct);
        values.holes[i] = found.holes ? 1 : 0;
        const Division division = divider.divide(node, rows);
        for (std::size_t b = 0; b < nodes[node].children.size(); ++b) {
            const std::int32_t child = nodes[node].children[b];
            if (!nodes.leaf(child)) work.emplace_back(child, division.branches[b]);
        }
    }
}

DescriptionLengths description_lengths(const Problem& problem, const Tree& tree,
                                       const DescriptionOptions& options,
                                       const NodeValues& values) {
    const bool of_classes = options.code == LeafCode::exact || options.code == LeafCode::mehta;
    if (of_classes != (problem.classes > 0)) {
        throw std::invalid_argument("leaf code '" + std::string(name_of(options.code)) +
                                    "' does not fit the problem");
    }
    const TreeArrays& a = tree.arrays();
    const std::size_t size = tree.size();
    const std::size_t width = tree.width();
    if (values.distinct.size() != size || values.holes.size() != size)
        throw std::invalid_argument("the values are not those of the tree");
    DescriptionLengths lengths{std::vector<double>(size, 0.0), std::vector<double>(size, 0.0)};
    const auto seen =
        std::count_if(a.value.begin(), a.value.begin() + static_cast<std::ptrdiff_t>(width),
                      [](double weight) { return weight > 0.0; });
    const double attribute_bits =
        std::log2(static_cast<double>(std::max<std::size_t>(values.varying, 1)));
    for (std::size_t i = 0; i < size; ++i) {
        if (a.weight[i] > 0.0) {
            const std::span<const double> value(a.value.data() + i * width, width);
            const auto classes = static_cast<double>(seen);
            lengths.as_leaf[i] = options.code == LeafCode::exact
                                     ? exact_bits(value, a.weight[i], classes)
                                 : options.code == LeafCode::mehta
                                     ? mehta_bits(value, a.weight[i], classes)
                                     : number_bits(a.impurity[i], a.weight[i], options);
        }
        if (a.kind[i] == 0) continue;
        const Question question{static_cast<ConditionKind>(a.kind[i]),
                                static_cast<std::size_t>(a.n_children[i]),
                                problem.table[static_cast<std::size_t>(a.attribute[i])].kind,
                                a.missing_to[i] >= 0, problem.parameters.merges()};
        lengths.question[i] =
            attribute_bits + question_bits(question, static_cast<std::size_t>(values.distinct[i]),
                                           values.holes[i] != 0);
    }
    return lengths;
}

std::vector<std::uint8_t> retired_by_length(const Tree& tree, const DescriptionLengths& lengths,
                                            double structure) {
    const TreeArrays& a = tree.arrays();
    std::vector<std::uint8_t> retired(tree.size(), 0);
    std::vector<double> shortest(tree.size(), 0.0);
    for (std::size_t i = tree.size(); i-- > 0;) {  // children come after their parents
        shortest[i] = structure + lengths.as_leaf[i];
        if (a.kind[i] == 0) continue;
        double split = structure * (1.0 + lengths.question[i]);
        for (std::int32_t b = 0; b < a.n_children[i]; ++b)
            split += shortest[static_cast<std::size_t>(a.first_child[i] + b)];
        retired[i] = !a.forced(i) && shortest[i] <= split + rounding * std::max(split, 1.0) ? 1 : 0;
        if (retired[i] == 0) shortest[i] = split;
    }
    return retired;
}

}  // namespace ramify
