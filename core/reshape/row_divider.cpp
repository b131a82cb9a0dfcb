#include "reshape/row_divider.hpp"

#include <algorithm>
#include <numeric>

#include "problem/equal_weights.hpp"

namespace ramify {
namespace {

constexpr std::int32_t everywhere = -1;

}  // namespace

RowDivider::RowDivider(const Problem& problem, const Reshaped& tree, Unseen unseen)
    : RowDivider(problem, tree, unseen, rows_of_equal_weight(problem)) {}

RowDivider::RowDivider(const Problem& problem, const Reshaped& tree, Unseen unseen,
                       std::size_t grain_rows)
    : problem_(problem), tree_(tree), unseen_(unseen) {
    if (grain_rows > 0) rounding_.set_grain(grain_rows);
}

NodeParts RowDivider::all_rows(std::span<const double> fractions) const {
    NodeParts all{{}, std::make_shared<std::vector<RowPart>>()};
    for (std::size_t row = 0; row < problem_.table.rows(); ++row) {
        if (!problem_.includes(row)) continue;
        const double fraction = fractions.empty() ? 1.0 : fractions[row];
        all.memory->push_back({static_cast<std::uint32_t>(row), fraction});
    }
    all.parts = *all.memory;
    return all;
}

std::vector<double> RowDivider::class_weights(std::span<const RowPart> parts) const {
    std::vector<double> sums(problem_.classes, 0.0);
    for (const RowPart& part : parts) {
        sums[static_cast<std::size_t>(problem_.labels[part.row])] += weight(part);
    }
    return sums;
}

void RowDivider::find_branches(std::int32_t node, std::span<const RowPart> parts,
                               Division& division) {
    branch_.resize(parts.size());
    auto& levels = division.new_levels;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        branch_[i] = tree_.branch(node, problem_.table, parts[i].row);
        if (branch_[i] == Reshaped::absent)
            levels.push_back(tree_.code(node, problem_.table, parts[i].row));
    }
    if (levels.empty()) return;
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    const auto first = static_cast<std::int32_t>(tree_[node].children.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (branch_[i] != Reshaped::absent) continue;
        const std::int32_t level = tree_.code(node, problem_.table, parts[i].row);
        const auto place = std::lower_bound(levels.begin(), levels.end(), level);
        branch_[i] = first + static_cast<std::int32_t>(place - levels.begin());
    }
}

// The proportions of the rows that have a branch; equal if no row has one.
void RowDivider::find_proportions(std::span<const RowPart> parts, Division& division) const {
    auto& shares = division.proportions;
    shares.assign(division.branches.size(), 0.0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (branch_[i] >= 0) shares[static_cast<std::size_t>(branch_[i])] += weight(parts[i]);
    }
    const double known = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) {
        share = known > 0.0 ? share / known : 1.0 / static_cast<double>(shares.size());
    }
}

Division RowDivider::divide(std::int32_t node, const NodeParts& from) {
    Division division;
    find_branches(node, from.parts, division);
    division.branches.resize(tree_[node].children.size() + division.new_levels.size());
    find_proportions(from.parts, division);
    const auto& shares = division.proportions;
    const auto heaviest =
        static_cast<std::int32_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    const double least = problem_.parameters.least_fraction();
    bool spreads = false;
    for (std::size_t i = 0; i < from.parts.size(); ++i) {
        if (branch_[i] >= 0) continue;
        if (branch_[i] == Reshaped::unseen && unseen_ == Unseen::majority) {
            branch_[i] = heaviest;
        } else if (tree_.missing_to(node) >= 0) {
            branch_[i] = tree_.missing_to(node);
        } else {
            branch_[i] = from.parts[i].fraction < least ? heaviest : everywhere;
        }
        spreads = spreads || branch_[i] == everywhere;
    }
    if (spreads) {
        spread_parts(from.parts, division);
    } else {
        move_parts(from, division);
    }
    return division;
}

void RowDivider::move_parts(const NodeParts& from, Division& division) {
    std::vector<std::size_t> next(division.branches.size() + 1, 0);
    for (const std::int32_t b : branch_) ++next[static_cast<std::size_t>(b) + 1];
    for (std::size_t b = 0; b < division.branches.size(); ++b) {
        division.branches[b] = {from.parts.subspan(next[b], next[b + 1]), from.memory};
        next[b + 1] += next[b];
    }
    spare_.assign(from.parts.begin(), from.parts.end());
    for (std::size_t i = 0; i < spare_.size(); ++i) {
        from.parts[next[static_cast<std::size_t>(branch_[i])]++] = spare_[i];
    }
}

void RowDivider::spread_parts(std::span<const RowPart> parts, Division& division) {
    for (NodeParts& branch : division.branches) {
        branch.memory = std::make_shared<std::vector<RowPart>>();
    }
    // The last branch that rows are divided among takes what is left of them.
    std::size_t last = division.branches.size();
    while (last > 0 && !(division.proportions[last - 1] > 0.0)) --last;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (branch_[i] == everywhere) {
            spread_part(parts[i], last, division);
        } else {
            division.branches[static_cast<std::size_t>(branch_[i])].memory->push_back(parts[i]);
        }
    }
    for (NodeParts& branch : division.branches) branch.parts = *branch.memory;
}

void RowDivider::spread_part(const RowPart& part, std::size_t last, Division& division) {
    double rest = part.fraction;
    for (std::size_t b = 0; b < last; ++b) {
        const double share = division.proportions[b];
        if (!(share > 0.0)) continue;
        const double fraction = rounding_.rounded(part.fraction * share, rest, last - 1 - b);
        rest -= fraction;
        if (fraction > 0.0) division.branches[b].memory->push_back({part.row, fraction});
    }
}

}  // namespace ramify
