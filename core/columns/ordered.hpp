// A column at a node as entries in the order of its values. It is sparse if its most frequent
// value, the mode, is not stored: then the rows of the node without an entry have that value.
// Invariant: the entries of a value are consecutive, and the first of them is marked as fresh.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "node/candidate.hpp"
#include "node/known_rows.hpp"
#include "node/level_table.hpp"
#include "node/open_node.hpp"
#include "splits/numeric.hpp"
#include "table/table.hpp"
#include "targets/target.hpp"

namespace ramify {

template <Target P>
class OrderedForm {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    // `sparse`: the column's mode has no entries, here or at any node.
    OrderedForm(const Samples& samples, const Column& column, const OpenNode<Word>& node,
                std::size_t c, bool sparse)
        : samples_(samples),
          column_(column),
          stats_(node.stats),
          range_(node.ranges[c]),
          entries_(node.block->columns[c].data() + range_.begin),
          sparse_(sparse) {}

    bool lacks_rows() const { return static_cast<std::int64_t>(range_.size) < stats_.rows; }
    bool has_mode() const { return sparse_ && lacks_rows(); }
    // Whether some rows of the node have no value.
    bool has_holes() const { return !sparse_ && lacks_rows(); }

    // Whether more than one value is present, of those that are stored or the mode.
    bool varies() const {
        if (has_mode()) return range_.size > 0;
        if (column_.all_distinct) return range_.size > 1;
        for (std::size_t i = 1; i < range_.size; ++i) {
            if (Layout::fresh(entries_[i])) return true;
        }
        return false;
    }

    // Calls function(first entry, end, is_mode) for every value present, in order of value.
    template <typename Function>
    void for_each_value(Function&& function) const {
        const auto pass = [&](std::size_t begin, std::size_t end) {
            while (begin < end) {
                std::size_t next = begin + 1;
                while (next < end && !Layout::fresh(entries_[next])) ++next;
                function(begin, next, false);
                begin = next;
            }
        };
        if (!has_mode()) {
            pass(0, range_.size);
            return;
        }
        pass(0, range_.below);
        function(std::size_t{0}, std::size_t{0}, true);
        pass(range_.below, range_.size);
    }

    // Adds up the rows that have an entry, and the others. Gives their support.
    double sum_known(KnownRows<Word>& known) const {
        const std::size_t width = samples_.width();
        known.segment = {entries_, range_.size, range_.below, false, nullptr, 0.0};
        if (!lacks_rows()) return stats_.support;
        known.own.assign(width, 0.0);
        known.rest.resize(width);
        double support = 0.0;
        for (std::size_t i = 0; i < range_.size; ++i) {
            P::add(samples_, entries_[i], known.own.data());
            support += P::support(samples_, entries_[i]);
        }
        for (std::size_t j = 0; j < width; ++j) {
            known.rest[j] = stats_.sums[j] - known.own[j];
            // Rounding must not leave weight, positive or negative, in a class that no such row
            // has.
            if (P::classification && known.rest[j] <= 1e-13 * stats_.sums[j]) known.rest[j] = 0.0;
        }
        if (sparse_) {
            known.segment.has_mode = true;
            known.segment.mode_sums = known.rest.data();
            known.segment.mode_support = stats_.support - support;
        }
        return support;
    }

    // Whether the target varies among the rows that have an entry.
    bool target_varies() const {
        for (std::size_t i = 1; i < range_.size; ++i) {
            if (samples_.target[Layout::row(entries_[i])] !=
                samples_.target[Layout::row(entries_[0])])
                return true;
        }
        return false;
    }

    // The contingency table of the values present.
    void sum_levels(const KnownRows<Word>& known, LevelTable& levels) const {
        const std::size_t width = samples_.width();
        std::size_t values = has_mode() ? 1 : 0;
        for (const Word entry : entries()) values += Layout::fresh(entry) ? 1 : 0;
        levels.clear();
        levels.sums.resize(values * width, 0.0);
        levels.support.resize(values, 0.0);
        // Where a level of few rows ends cannot be predicted, so nothing here jumps at its end.
        std::size_t next = 0;  // the level after that of the last entry
        const auto pass = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                next += Layout::fresh(entries_[i]) ? 1 : 0;
                P::add(samples_, entries_[i], levels.sums.data() + (next - 1) * width);
                levels.support[next - 1] += P::support(samples_, entries_[i]);
            }
        };
        if (!has_mode()) {
            pass(0, range_.size);
            return;
        }
        pass(0, range_.below);
        std::copy_n(known.rest.data(), width, levels.sums.data() + next * width);
        levels.support[next++] = known.segment.mode_support;
        pass(range_.below, range_.size);
    }

    // Calls function(weight, support) with those of every value present, in order of value.
    template <typename Function>
    void for_each_size(Function&& function) const {
        for_each_value([&](std::size_t begin, std::size_t end, bool mode) {
            auto rows = static_cast<double>(end - begin);
            if (mode) rows = static_cast<double>(stats_.rows) - static_cast<double>(range_.size);
            if (mode || !P::weighted) {
                function(rows, rows);
                return;
            }
            double weight = 0.0;
            double support = 0.0;
            for (std::size_t i = begin; i < end; ++i) {
                weight += P::weight(samples_, entries_[i]);
                support += P::support(samples_, entries_[i]);
            }
            function(weight, support);
        });
    }
    // The entries, one after the other.
    std::span<const Word> entries() const { return {entries_, range_.size}; }

    // Adds the rows of both sides of a cut to `sides`. Calls after_value(support) after every
    // value, with the support up to it. Gives the number of values.
    template <typename After>
    std::size_t sum_sides(const KnownRows<Word>& known, const Boundary& cut,
                          std::vector<double>& sides, After&& after_value) const {
        const std::size_t width = samples_.width();
        std::size_t values = 0;
        double support = 0.0;
        for_each_value([&](std::size_t begin, std::size_t end, bool mode) {
            ++values;
            const bool left = mode ? cut.mode_left : begin < cut.position;
            double* side = sides.data() + (left ? 0 : width);
            if (mode) {
                for (std::size_t j = 0; j < width; ++j) side[j] += known.segment.mode_sums[j];
                support += known.segment.mode_support;
            }
            for (std::size_t i = begin; i < end; ++i) {
                P::add(samples_, entries_[i], side);
                support += P::support(samples_, entries_[i]);
            }
            after_value(support);
        });
        return values;
    }

    // The support of every branch of a split, without the rows that lack a value.
    void sum_support(const Candidate& split, std::vector<double>& support) const {
        std::size_t level = 0;
        for_each_value([&](std::size_t begin, std::size_t end, bool mode) {
            const std::size_t branch = branch_of(split, level++, begin, mode);
            if (mode) support[branch] += stats_.support - static_cast<double>(range_.size);
            for (std::size_t i = begin; i < end; ++i)
                support[branch] += P::support(samples_, entries_[i]);
        });
    }

    // Calls put(entry, branch) for every entry, value by value. Gives the branch of the mode.
    template <typename Put>
    std::size_t send(const Candidate& split, Put&& put) const {
        const auto send_range = [&](std::size_t begin, std::size_t end, std::size_t branch) {
            for (std::size_t i = begin; i < end; ++i) put(entries_[i], branch);
        };
        if (split.kind == ConditionKind::threshold) {
            send_range(0, split.boundary.position, 0);
            send_range(split.boundary.position, range_.size, 1);
            return split.boundary.mode_left ? 0 : 1;
        }
        std::size_t level = 0;
        std::size_t of_mode = 0;
        for_each_value([&](std::size_t begin, std::size_t end, bool mode) {
            const std::size_t branch = branch_of(split, level++, begin, mode);
            if (mode) of_mode = branch;
            send_range(begin, end, branch);
        });
        return of_mode;
    }

    // The cut at a threshold: values up to it are on the left.
    Boundary cut_at(double threshold) const {
        std::size_t begin = 0;
        std::size_t end = range_.size;
        while (begin < end) {
            const std::size_t middle = begin + (end - begin) / 2;
            if (column_.value(row(middle)) <= threshold) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        return {begin, has_mode() && column_.value(column_.mode_row) <= threshold};
    }

    // The values on both sides of a cut.
    std::pair<double, double> values_at(const Boundary& cut) const {
        const bool at_mode = has_mode() && cut.position == range_.below;
        const double mode = has_mode() ? column_.value(column_.mode_row) : 0.0;
        return {at_mode && cut.mode_left ? mode : column_.value(row(cut.position - 1)),
                at_mode && !cut.mode_left ? mode : column_.value(row(cut.position))};
    }

    // Calls function(row) with a row of the table for every value, in order of value.
    template <typename Function>
    void for_each_level(Function&& function) const {
        // The cell of a sample's row tells its level, for the parts of a spread row too. First
        // entries are collected before they are looked at: where they lie cannot be predicted.
        const auto pass = [&](std::size_t begin, std::size_t end) {
            std::array<std::size_t, 256> first;
            while (begin < end) {
                const std::size_t stop = std::min(end, begin + first.size());
                std::size_t count = 0;
                for (; begin < stop; ++begin) {
                    first[count] = begin;
                    count += Layout::fresh(entries_[begin]) ? 1 : 0;
                }
                for (std::size_t i = 0; i < count; ++i) function(row(first[i]));
            }
        };
        if (!has_mode()) {
            pass(0, range_.size);
            return;
        }
        pass(0, range_.below);
        function(std::size_t{column_.mode_row});
        pass(range_.below, range_.size);
    }

    // The row of the table that an entry belongs to.
    std::size_t row(std::size_t i) const { return samples_.source_row(Layout::row(entries_[i])); }

  private:
    static std::size_t branch_of(const Candidate& split, std::size_t level, std::size_t begin,
                                 bool mode) {
        if (split.kind != ConditionKind::threshold)
            return static_cast<std::size_t>(split.branch_of_level[level]);
        const bool left = mode ? split.boundary.mode_left : begin < split.boundary.position;
        return left ? 0 : 1;
    }

    const Samples& samples_;
    const Column& column_;
    const NodeStats& stats_;
    const Range& range_;
    const Word* entries_;
    bool sparse_;
};

}  // namespace ramify
