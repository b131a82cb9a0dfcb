#include "edit/divider.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "edit/node_problem.hpp"
#include "edit/question.hpp"
#include "evaluate/description.hpp"
#include "grow/grow.hpp"
#include "problem/equal_weights.hpp"
#include "targets/samples.hpp"

namespace ramify {
namespace {

std::vector<SharedRows> shared(std::vector<KeptRows>& rows) {
    std::vector<SharedRows> result;
    for (KeptRows& branch : rows)
        result.push_back(std::make_shared<const KeptRows>(std::move(branch)));
    return result;
}

NodeNumbers numbers_of(const TreeArrays& arrays, std::size_t node, std::size_t width) {
    NodeNumbers numbers;
    numbers.rows = arrays.rows[node];
    numbers.weight = arrays.weight[node];
    numbers.impurity = arrays.impurity[node];
    numbers.prediction = arrays.prediction[node];
    if (!arrays.spread.empty()) numbers.spread = arrays.spread[node];
    const auto first = arrays.value.begin() + static_cast<std::ptrdiff_t>(node * width);
    numbers.value.assign(first, first + static_cast<std::ptrdiff_t>(width));
    return numbers;
}

}  // namespace

NodeDivider::NodeDivider(const Problem& problem, const HeldOutRows& held_out, Unseen unseen)
    : problem_(problem), held_out_(held_out), unseen_(unseen) {
    if (problem.classes > 0) grain_rows_ = rows_of_equal_weight(problem);
}

LeafRows NodeDivider::all_rows() const {
    KeptRows grown;
    for (std::size_t row = 0; row < problem_.table.rows(); ++row) {
        if (problem_.includes(row)) grown.whole.push_back(static_cast<std::uint32_t>(row));
    }
    KeptRows held_out;
    for (std::size_t row = 0; row < held_out_.rows; ++row)
        held_out.whole.push_back(static_cast<std::uint32_t>(row));
    LeafRows all;
    all.grown = all.walked = std::make_shared<const KeptRows>(std::move(grown));
    all.held_out = std::make_shared<const KeptRows>(std::move(held_out));
    return all;
}

NodeNumbers NodeDivider::numbers(const KeptRows& rows, Interrupt& interrupt) const {
    NodeProblem alone(problem_, rows, grain_rows_);
    alone.take_branches(std::vector<std::int32_t>(rows.size(), 0), 1, true);
    Problem problem = alone.problem();
    lift_limits(problem.parameters);
    problem.parameters.monotone.clear();
    problem.parameters.max_depth = 0;
    const Tree tree = ramify::grow(problem, interrupt);
    return numbers_of(tree.arrays(), 0, tree.width());
}

// Finds the branches that have rows.
void NodeDivider::keep(const Branches& branches, const SkeletonNode& asked,
                       NodeDivision& to) const {
    std::vector<std::uint8_t> has_rows(asked.children.size(), 0);
    for (const auto* list : {&branches.whole, &branches.divided}) {
        for (const std::int32_t branch : *list) {
            if (branch >= 0) has_rows[static_cast<std::size_t>(branch)] = 1;
        }
    }
    for (std::size_t b = 0; b < has_rows.size(); ++b) {
        if (has_rows[b] != 0) to.kept.push_back(static_cast<std::int32_t>(b));
    }
}

void NodeDivider::find_proportions(const KeptRows& rows, const Branches& branches,
                                   NodeDivision& to) const {
    std::vector<double> known(to.kept.size(), 0.0);
    for (std::size_t i = 0; i < rows.whole.size(); ++i) {
        if (branches.whole[i] >= 0)
            known[static_cast<std::size_t>(branches.whole[i])] += weight(rows.whole[i]);
    }
    for (std::size_t i = 0; i < rows.divided.size(); ++i) {
        if (branches.divided[i] >= 0)
            known[static_cast<std::size_t>(branches.divided[i])] +=
                weight(rows.divided[i]) * rows.part[i];
    }
    double all = 0.0;
    for (const double branch : known) all += branch;
    to.proportions.clear();
    for (const double branch : known) to.proportions.push_back(branch / all);
}

// Classes, and every row has its branch: the counts say everything.
void NodeDivider::weigh(const KeptRows& rows, const NodeNumbers& node, const Branches& branches,
                        NodeDivision& to) const {
    const Criterion& criterion = *problem_.criterion;
    const std::size_t width = problem_.classes;
    const std::size_t count = to.kept.size();
    std::vector<double> sums(count * width, 0.0);
    std::vector<std::int64_t> present(count, 0);
    const auto add = [&](std::uint32_t row, std::int32_t branch, double by) {
        const auto b = static_cast<std::size_t>(branch);
        sums[b * width + static_cast<std::size_t>(problem_.labels[row])] += by;
        ++present[b];
    };
    if (problem_.weights.empty()) {
        for (std::size_t i = 0; i < rows.whole.size(); ++i)
            add(rows.whole[i], branches.whole[i], 1.0);
    } else {
        for (std::size_t i = 0; i < rows.whole.size(); ++i)
            add(rows.whole[i], branches.whole[i], weight(rows.whole[i]));
    }
    for (std::size_t i = 0; i < rows.divided.size(); ++i)
        add(rows.divided[i], branches.divided[i], weight(rows.divided[i]) * rows.part[i]);
    to.gain = criterion.binary_only() && count > 2
                  ? 0.0
                  : criterion.score({node.value.data(), sums.data(), count, width});
    to.gain -= criterion.baseline(node.value.data(), width);
    if (!(to.gain > 0.0) || std::isinf(to.gain)) to.gain = 0.0;
    to.numbers.resize(count);
    for (std::size_t b = 0; b < count; ++b) {
        NodeNumbers& numbers = to.numbers[b];
        const double* of = sums.data() + b * width;
        numbers.rows = present[b];
        numbers.weight = weight_of(of, width);
        numbers.value.assign(of, of + width);
        const auto classes = std::count_if(of, of + width, [](double w) { return w > 0.0; });
        numbers.impurity = classes > 1 ? criterion.impurity(of, width) : 0.0;
    }
}

// Grows the split alone, on a column that holds the branches.
void NodeDivider::grow(const KeptRows& rows, const Branches& branches, bool ordered,
                       NodeDivision& to, Interrupt& interrupt) const {
    NodeProblem alone(problem_, rows, grain_rows_);
    std::vector<std::int32_t> codes;
    codes.reserve(rows.size());
    for (std::size_t i = 0, d = 0; i < rows.whole.size() || d < rows.divided.size();) {
        const bool whole =
            d == rows.divided.size() || (i < rows.whole.size() && rows.whole[i] < rows.divided[d]);
        const std::int32_t branch = whole ? branches.whole[i++] : branches.divided[d++];
        codes.push_back(std::max(branch, -1));
    }
    const auto count = static_cast<std::int32_t>(to.kept.size());
    alone.take_branches(std::move(codes), to.kept.size(), ordered);
    Problem problem = alone.problem();
    lift_limits(problem.parameters);
    GrowParameters& parameters = problem.parameters;
    parameters.monotone.clear();
    parameters.monotone_class.clear();
    parameters.growth = Growth::depth_first;
    parameters.competitor_depth = 0;
    parameters.threads = 1;
    Constraints demand;
    SkeletonNode asked;
    asked.attribute = 0;
    asked.kind = ordered ? ConditionKind::threshold : ConditionKind::multiway;
    asked.threshold = 0.5;
    SkeletonNode end;
    end.closed = true;
    demand.skeleton.assign(to.kept.size() + 1, end);
    for (std::int32_t b = 0; b < count; ++b) {
        if (!ordered) asked.branch_of_code.push_back(b);
        asked.children.push_back(b + 1);
    }
    demand.skeleton[0] = std::move(asked);
    problem.constraints = &demand;
    alone.beginning.plan.place = 0;
    const Tree tree = ramify::grow(problem, interrupt);
    const TreeArrays& arrays = tree.arrays();
    to.gain = arrays.gain[0];
    to.missing_to = arrays.missing_to[0];
    to.proportions.clear();
    for (std::size_t b = 1; b <= to.kept.size(); ++b) {
        to.numbers.push_back(numbers_of(arrays, b, tree.width()));
        to.proportions.push_back(arrays.proportion[b]);
    }
}

void NodeDivider::list_levels(const KeptRows& rows, const Column& column, NodeDivision& to) const {
    std::vector<std::uint8_t> present(column.levels, 0);
    for (const auto* list : {&rows.whole, &rows.divided}) {
        for (const std::uint32_t row : *list) {
            if (column.codes[row] >= 0) present[static_cast<std::size_t>(column.codes[row])] = 1;
        }
    }
    for (std::size_t code = 0; code < present.size(); ++code) {
        if (present[code] != 0)
            to.levels.emplace_back(static_cast<std::int32_t>(code), to.branch_of_code[code]);
    }
    if (column.kind == Kind::ordinal) to.levels = filled(to.levels, column.levels);
}

// Gives every row, or every part of it, to its branch.
std::vector<SharedRows> NodeDivider::send(const KeptRows& rows, const Branches& branches,
                                          const NodeDivision& by) const {
    const std::size_t count = by.kept.size();
    const auto& shares = by.proportions;
    const auto heaviest =
        static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    Samples rounding(problem_.classes);
    if (grain_rows_ > 0) rounding.set_grain(grain_rows_);
    const double least = problem_.parameters.least_fraction();
    std::vector<KeptRows> to(count);
    std::vector<std::size_t> sizes(count, 0);
    for (const std::int32_t branch : branches.whole) {
        if (branch >= 0) ++sizes[static_cast<std::size_t>(branch)];
    }
    for (std::size_t b = 0; b < count; ++b) to[b].whole.reserve(sizes[b]);
    const auto divide = [&](std::uint32_t row, double part) {
        double rest = part;
        for (std::size_t b = 0; b < count; ++b) {
            const double own = rounding.rounded(part * shares[b], rest, count - 1 - b);
            rest -= own;
            to[b].divided.push_back(row);
            to[b].part.push_back(own);
        }
    };
    std::size_t d = 0;
    const auto put_divided = [&](std::uint32_t before) {
        for (; d < rows.divided.size() && rows.divided[d] < before; ++d) {
            std::int32_t branch = branches.divided[d];
            if (branch < 0) branch = by.missing_to;
            if (branch < 0 && rows.part[d] < least) branch = static_cast<std::int32_t>(heaviest);
            if (branch < 0) {
                divide(rows.divided[d], rows.part[d]);
            } else {
                to[static_cast<std::size_t>(branch)].divided.push_back(rows.divided[d]);
                to[static_cast<std::size_t>(branch)].part.push_back(rows.part[d]);
            }
        }
    };
    for (std::size_t i = 0; i < rows.whole.size(); ++i) {
        const std::int32_t branch = branches.whole[i] < 0 ? by.missing_to : branches.whole[i];
        if (branch >= 0) {
            to[static_cast<std::size_t>(branch)].whole.push_back(rows.whole[i]);
            continue;
        }
        put_divided(rows.whole[i]);  // so that rows ascend
        divide(rows.whole[i], 1.0);
    }
    put_divided(0xffffffffu);
    return shared(to);
}

// The same for rows that walk: a level without a row in growth follows the rule for unseen levels,
// and parts may be as light as they are.
template <typename AnyColumn>
std::vector<SharedRows> NodeDivider::walk(const KeptRows& rows, const AnyColumn& column,
                                          const SkeletonNode& asked, const NodeDivision& by) const {
    const std::size_t count = by.kept.size();
    const auto& shares = by.proportions;
    const auto heaviest =
        static_cast<std::int32_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    std::vector<std::int32_t> branch_of_code;
    if (asked.kind != ConditionKind::threshold) {
        branch_of_code.assign(asked.branch_of_code.size(), BranchQuestion::unseen);
        for (const auto& [code, branch] : by.levels)
            branch_of_code[static_cast<std::size_t>(code)] = branch;
    }
    const BranchQuestion question(asked.kind, asked.threshold, branch_of_code);
    Branches branches;
    question.ask(column, rows.whole, branches.whole);
    question.ask(column, rows.divided, branches.divided);
    const auto settle = [&](std::int32_t branch) {
        if (branch >= 0) return branch;
        if (branch == BranchQuestion::unseen && unseen_ == Unseen::majority) return heaviest;
        return by.missing_to;
    };
    std::vector<KeptRows> to(count);
    const auto divide = [&](std::uint32_t row, double part) {
        for (std::size_t b = 0; b < count; ++b) {
            if (!(part * shares[b] > 0.0)) continue;
            to[b].divided.push_back(row);
            to[b].part.push_back(part * shares[b]);
        }
    };
    std::size_t d = 0;
    const auto put_divided = [&](std::uint32_t before) {
        for (; d < rows.divided.size() && rows.divided[d] < before; ++d) {
            const std::int32_t branch = settle(branches.divided[d]);
            if (branch < 0) {
                divide(rows.divided[d], rows.part[d]);
            } else {
                to[static_cast<std::size_t>(branch)].divided.push_back(rows.divided[d]);
                to[static_cast<std::size_t>(branch)].part.push_back(rows.part[d]);
            }
        }
    };
    for (std::size_t i = 0; i < rows.whole.size(); ++i) {
        const std::int32_t branch = settle(branches.whole[i]);
        if (branch >= 0) {
            to[static_cast<std::size_t>(branch)].whole.push_back(rows.whole[i]);
            continue;
        }
        put_divided(rows.whole[i]);
        divide(rows.whole[i], 1.0);
    }
    put_divided(0xffffffffu);
    return shared(to);
}

NodeDivision NodeDivider::divide(const LeafRows& rows, const NodeNumbers& node,
                                 const SkeletonNode& asked, Interrupt& interrupt) const {
    NodeDivision division;
    const auto c = static_cast<std::size_t>(asked.attribute);
    const Column& column = problem_.table[c];
    const bool ordered = asked.kind == ConditionKind::threshold;
    const BranchQuestion question(asked.kind, asked.threshold, asked.branch_of_code);
    Branches branches;
    question.ask(column, rows.grown->whole, branches.whole);
    question.ask(column, rows.grown->divided, branches.divided);
    bool missing = false;
    const auto is_missing = [](std::int32_t branch) { return branch < 0; };
    for (const auto* list : {&branches.whole, &branches.divided})
        missing = missing || std::any_of(list->begin(), list->end(), is_missing);
    // Rows without a value have a branch if the condition says so.
    Branches known = missing ? branches : Branches{};
    if (missing && asked.missing_to >= 0) {
        for (auto* list : {&branches.whole, &branches.divided})
            std::replace_if(list->begin(), list->end(), is_missing, asked.missing_to);
    }
    keep(branches, asked, division);
    if (division.kept.size() < 2) return division;

    std::vector<std::int32_t> number(asked.children.size(), -1);
    for (std::size_t b = 0; b < division.kept.size(); ++b)
        number[static_cast<std::size_t>(division.kept[b])] = static_cast<std::int32_t>(b);
    if (division.kept.size() < number.size()) {
        for (auto* lists : {&branches, &known}) {
            for (auto* list : {&lists->whole, &lists->divided}) {
                for (std::int32_t& branch : *list) {
                    if (branch >= 0) branch = number[static_cast<std::size_t>(branch)];
                }
            }
        }
    }
    if (asked.missing_to >= 0)
        division.missing_to = number[static_cast<std::size_t>(asked.missing_to)];
    const bool left = missing && asked.missing_to < 0;
    if (problem_.classes > 0 && !left) {
        weigh(*rows.grown, node, branches, division);
        find_proportions(*rows.grown, missing ? known : branches, division);
    } else {
        const std::int32_t demanded = division.missing_to;
        grow(*rows.grown, branches, ordered, division, interrupt);
        if (!left) {
            division.missing_to = demanded;
            find_proportions(*rows.grown, missing ? known : branches, division);
        }
    }
    if (!ordered) {
        const auto& shares = division.proportions;
        const auto heaviest = static_cast<std::int32_t>(
            std::max_element(shares.begin(), shares.end()) - shares.begin());
        for (const std::int32_t branch : asked.branch_of_code) {
            const std::int32_t now = number[static_cast<std::size_t>(branch)];
            division.branch_of_code.push_back(now >= 0 ? now : heaviest);
        }
        list_levels(*rows.grown, column, division);
    }
    const auto grown = send(*rows.grown, branches, division);
    // Rows that came whole and stay whole walk as they were grown.
    const bool apart = rows.walked != rows.grown ||
                       std::any_of(grown.begin(), grown.end(),
                                   [](const SharedRows& branch) { return !branch->part.empty(); });
    const auto walked = apart ? walk(*rows.walked, column, asked, division) : grown;
    const auto held_out =
        held_out_.rows > 0
            ? walk(*rows.held_out, held_out_.columns[c], asked, division)
            : std::vector<SharedRows>(division.kept.size(), std::make_shared<const KeptRows>());
    for (std::size_t b = 0; b < division.kept.size(); ++b)
        division.rows.push_back({grown[b], walked[b], held_out[b]});
    return division;
}

}  // namespace ramify
