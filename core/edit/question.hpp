// Where the condition of a node sends a row, for rows that grow the tree and for rows that walk
// down it. Invariant: the answer is that of growth (grow/route.hpp) and of prediction
// (tree/walker.hpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "problem/constraints.hpp"
#include "tree/tree.hpp"

namespace ramify {

class BranchQuestion {
  public:
    static constexpr std::int32_t missing = -1;
    static constexpr std::int32_t unseen = -2;  // a level without a branch

    BranchQuestion(ConditionKind kind, double threshold,
                   const std::vector<std::int32_t>& branch_of_code)
        : kind_(kind), threshold_(threshold), branch_of_code_(branch_of_code) {}

    std::int32_t of_number(double value) const {
        if (std::isnan(value) || kind_ != ConditionKind::threshold) return missing;
        return value <= threshold_ ? 0 : 1;
    }
    std::int32_t of_code(std::int32_t code) const {
        if (code < 0) return code == -1 ? missing : unseen;
        if (kind_ == ConditionKind::threshold)
            return static_cast<double>(code) <= threshold_ ? 0 : 1;
        const auto at = static_cast<std::size_t>(code);
        return at < branch_of_code_.size() ? branch_of_code_[at] : unseen;
    }

    // Writes the branch of every row.
    void ask(const Column& column, const std::vector<std::uint32_t>& rows,
             std::vector<std::int32_t>& to) const {
        to.resize(rows.size());
        if (column.kind == Kind::numeric) {
            for (std::size_t i = 0; i < rows.size(); ++i) to[i] = of_number(column.values[rows[i]]);
        } else {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const std::int32_t code = column.codes[rows[i]];
                to[i] = code < 0 ? missing : of_code(code);
            }
        }
    }
    void ask(const PredictColumn& column, const std::vector<std::uint32_t>& rows,
             std::vector<std::int32_t>& to) const {
        to.resize(rows.size());
        if (column.numeric()) {
            for (std::size_t i = 0; i < rows.size(); ++i) to[i] = of_number(column.number(rows[i]));
        } else {
            for (std::size_t i = 0; i < rows.size(); ++i)
                to[i] = of_code(column.codes[static_cast<std::ptrdiff_t>(rows[i]) * column.stride]);
        }
    }

  private:
    ConditionKind kind_;
    double threshold_;
    const std::vector<std::int32_t>& branch_of_code_;  // -2: no branch
};

}  // namespace ramify
