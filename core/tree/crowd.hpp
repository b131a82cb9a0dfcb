// Leads the rows that missing values spread over several branches through the tree together: each
// node is visited once for all rows. Invariant: the leaves of a row come in depth-first order,
// first branches first, and shares are multiplied from the root on. So every sum over them equals
// that of `Walker::spread` for the row alone, to the last bit.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "support/interrupt.hpp"
#include "tree/walker.hpp"

namespace ramify {

// A part of a row of the table.
struct RowShare {
    std::size_t row;
    double share;
};

class Crowd {
  public:
    Crowd(const Tree& tree, std::span<const PredictColumn> columns, Unseen unseen,
          Interrupt& interrupt)
        : arrays_(tree.arrays()), walker_{tree, columns, unseen}, interrupt_(interrupt) {}

    // Calls visit(node, parts) for every node that some part of these rows reaches.
    template <typename Visit>
    void lead(std::span<const std::size_t> rows, Visit&& visit) {
        parts_.clear();
        for (const std::size_t row : rows) parts_.push_back({row, 1.0});
        groups_.assign(1, {0, 0});
        while (!groups_.empty()) {
            const Group group = groups_.back();
            groups_.pop_back();
            work_ += parts_.size() - group.begin + 16;
            if (work_ > 4096) {
                interrupt_.poll();
                work_ = 0;
            }
            visit(group.node, std::span<const RowShare>(parts_).subspan(group.begin));
            const auto node = static_cast<std::size_t>(group.node);
            if (arrays_.kind[node] == 0) {
                parts_.resize(group.begin);
            } else if (walker_.asks_number(node)) {
                divide_by_threshold(node, group.begin);
            } else {
                divide(node, group.begin);
            }
        }
    }

  private:
    // Its parts are those from `begin` to the end. The groups that wait lie before them.
    struct Group {
        std::int32_t node;
        std::size_t begin;
    };

    // Parts that go right stay in place, and those that go left are moved to the end, so that the
    // first branch is visited next. The code has no jump that depends on where a row goes.
    void divide_by_threshold(std::size_t node, std::size_t begin) {
        const PredictColumn& column =
            walker_.columns[static_cast<std::size_t>(arrays_.attribute[node])];
        const double threshold = arrays_.threshold[node];
        const std::int32_t first = arrays_.first_child[node];
        const std::int32_t missing_to = arrays_.missing_to[node];
        const std::size_t size = parts_.size() - begin;
        if (size == 1) {  // a single row that does not spread needs no groups
            const std::int32_t taken = walker_.branch(node, parts_[begin].row);
            if (taken >= 0) {
                groups_.push_back({first + taken, begin});
                return;
            }
        }
        // The factors for a part with a missing value on either side.
        const double* proportion = arrays_.proportion.data() + first;
        const double to_left = missing_to < 0 ? proportion[0] : missing_to == 0 ? 1.0 : 0.0;
        const double to_right = missing_to < 0 ? proportion[1] : missing_to == 1 ? 1.0 : 0.0;
        if (left_.size() < size) left_.resize(size);
        RowShare* right = parts_.data() + begin;
        std::size_t lefts = 0;
        std::size_t rights = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const RowShare part = right[i];
            const double value = column.number(part.row);
            const bool missing = std::isnan(value);
            const bool below = value <= threshold;
            const double left_share = part.share * (missing ? to_left : 1.0);
            const double right_share = part.share * (missing ? to_right : 1.0);
            left_[lefts] = {part.row, left_share};
            lefts += static_cast<std::size_t>((below || missing) && left_share > 0.0);
            right[rights] = {part.row, right_share};
            rights += static_cast<std::size_t>(!below && right_share > 0.0);
        }
        parts_.resize(begin + rights);
        if (rights > 0) groups_.push_back({first + 1, begin});
        if (lefts > 0) groups_.push_back({first, begin + rights});
        parts_.insert(parts_.end(), left_.begin(),
                      left_.begin() + static_cast<std::ptrdiff_t>(lefts));
    }

    void divide(std::size_t node, std::size_t begin) {
        const std::int32_t first = arrays_.first_child[node];
        const auto branches = static_cast<std::size_t>(arrays_.n_children[node]);
        const std::size_t size = parts_.size() - begin;
        taken_.resize(size);
        bool together = true;
        for (std::size_t i = 0; i < size; ++i) {
            taken_[i] = walker_.branch(node, parts_[begin + i].row);
            together = together && taken_[i] == taken_[0];
        }
        if (together && taken_[0] >= 0) {
            groups_.push_back({first + taken_[0], begin});
            return;
        }
        left_.assign(parts_.begin() + static_cast<std::ptrdiff_t>(begin), parts_.end());
        const double* proportion = arrays_.proportion.data() + first;
        const auto for_each = [&](auto&& give) {
            for (std::size_t i = 0; i < size; ++i) {
                if (taken_[i] >= 0) {
                    give(static_cast<std::size_t>(taken_[i]), left_[i]);
                    continue;
                }
                for (std::size_t b = 0; b < branches; ++b) {
                    const double share = left_[i].share * proportion[b];
                    if (share > 0.0) give(b, RowShare{left_[i].row, share});
                }
            }
        };
        next_.assign(branches, 0);
        for_each([&](std::size_t b, const RowShare&) { ++next_[b]; });
        std::size_t end = begin;
        for (std::size_t b = branches;
             b-- > 0;) {  // the first branch is pushed last, so that it is visited next
            const std::size_t many = next_[b];
            next_[b] = end;
            if (many > 0) groups_.push_back({first + static_cast<std::int32_t>(b), end});
            end += many;
        }
        parts_.resize(end);
        for_each([&](std::size_t b, const RowShare& part) { parts_[next_[b]++] = part; });
    }

    const TreeArrays& arrays_;
    Walker walker_;
    Interrupt& interrupt_;
    std::vector<RowShare> parts_;  // of all groups, one after the other
    std::vector<Group> groups_;
    std::vector<RowShare> left_;  // the parts that are moved
    std::vector<std::int32_t> taken_;
    std::vector<std::size_t> next_;
    std::size_t work_ = 0;  // since the interrupt was last polled
};

}  // namespace ramify
