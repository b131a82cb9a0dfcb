#include "optimal/monotone/beginning.hpp"

#include <algorithm>

#include "optimal/extent.hpp"

namespace ramify::optimal::monotone {
namespace {

std::int64_t count_leaves(const Shape& tree) {
    return tree.question < 0 ? 1 : count_leaves(*tree.left) + count_leaves(*tree.right);
}

Grown of_condition(std::int32_t part, const Grown& left, const Grown& right) {
    return std::make_shared<const Growth>(Growth{part, nullptr, left, right});
}

}  // namespace

Beginning::Beginning(Search& search, const near::NearTable& table, const Order& order,
                     const LaidDown& parts, Monitor& monitor)
    : search_(search),
      table_(table),
      order_(order),
      parts_(parts),
      monitor_(monitor),
      covers_(parts.size()),
      wanted_(parts.size(), -1),
      least_(parts.size(), 0.0),
      fewest_(parts.size(), 0),
      most_(parts.size(), 0) {
    for (std::size_t p = parts.size(); p-- > 0;) {
        const LaidPart& part = parts[p];
        if (part.kind == LaidPart::Kind::branch) {
            covers_[p] = table.cover(part.rows);
            if (!part.wanted.empty()) {
                std::size_t first = 0;
                while (parts[first].wanted != part.wanted) ++first;
                wanted_[p] = static_cast<std::int32_t>(first);
            }
            const auto rows = static_cast<std::int64_t>(part.rows.size());
            const std::int64_t fit =
                std::max<std::int64_t>(1, rows / table.limits.min_samples_leaf);
            least_[p] = table.table->unavoidable(covers_[p].data()) + table.limits.sparsity;
            fewest_[p] = 1;
            most_[p] = std::min(fit, full_leaves(part.depth));
            continue;
        }
        const bool choice = part.kind == LaidPart::Kind::choice;
        if (choice) {
            least_[p] = binary::infinite;
            fewest_[p] = any_leaves;
        }
        for (const std::int32_t below : part.parts) {
            const auto b = static_cast<std::size_t>(below);
            least_[p] = choice ? std::min(least_[p], least_[b]) : least_[p] + least_[b];
            fewest_[p] = choice ? std::min(fewest_[p], fewest_[b]) : fewest_[p] + fewest_[b];
            most_[p] = choice ? std::max(most_[p], most_[b]) : most_[p] + most_[b];
        }
    }
}

int Beginning::deepest_branch() const {
    int depth = 0;
    for (const LaidPart& part : parts_) {
        if (part.kind == LaidPart::Kind::branch) depth = std::max(depth, part.depth);
    }
    return depth;
}

void Beginning::run(int levels, std::int64_t leaves, double upper) {
    levels_ = levels;
    const Found found = solve(0, leaves, Range::all(order_.outputs()), upper);
    if (found.value < upper) take(0, found);
}

void Beginning::begin(const std::vector<NodeList>& starts, std::int64_t leaves) {
    starts_.resize(parts_.size());
    start_leaves_.assign(parts_.size(), 0);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        if (starts[p].empty()) continue;
        search_.among(wanted_[p], wanted_[p] < 0 ? nullptr : &parts_[p].wanted);
        starts_[p] = search_.keep_order(starts[p], covers_[p].data());
        start_leaves_[p] = count_leaves(*starts_[p].tree);
    }
    run(0, leaves, best_value);
    starts_.clear();
}

Found Beginning::branch(std::int32_t part, std::int64_t leaves, const Range& range, double upper) {
    const auto p = static_cast<std::size_t>(part);
    const LaidPart& mine = parts_[p];
    Answer answer;
    if (!starts_.empty() && starts_[p].tree && start_leaves_[p] <= leaves &&
        range.holds(starts_[p].leaves) && starts_[p].value < upper) {
        answer = starts_[p];
    } else {
        search_.among(wanted_[p], wanted_[p] < 0 ? nullptr : &mine.wanted);
        const int depth = std::min(mine.depth, levels_);
        answer = search_.solve(covers_[p].data(), depth, leaves, range, upper);
    }
    Found found;
    found.value = answer.value;
    found.bound = answer.bound;
    found.leaves = answer.leaves;
    if (found.value < upper) {
        found.growth = std::make_shared<const Growth>(Growth{part, answer.tree, nullptr, nullptr});
    } else {
        found.value = binary::infinite;
    }
    return found;
}

Found Beginning::solve(std::int32_t part, std::int64_t leaves, const Range& range, double upper) {
    monitor_.poll();
    const auto p = static_cast<std::size_t>(part);
    const LaidPart& mine = parts_[p];
    Found best;
    best.bound = binary::infinite;
    if (leaves < fewest_[p]) return best;
    if (mine.kind == LaidPart::Kind::branch) return branch(part, leaves, range, upper);
    double limit = upper;
    double bound = binary::infinite;
    if (mine.kind == LaidPart::Kind::choice) {
        for (const std::int32_t way : mine.parts) {
            const Found found = solve(way, leaves, range, limit);
            bound = std::min(bound, found.bound);
            if (!(found.value < limit)) continue;
            best = found;
            best.growth = of_condition(part, found.growth, nullptr);
            limit = found.value;
            take(part, best);
        }
    } else {
        const auto l = static_cast<std::size_t>(mine.parts[0]);
        const auto r = static_cast<std::size_t>(mine.parts[1]);
        const bool limited = leaves < most_[l] + most_[r];
        const std::int64_t to = limited ? std::min(most_[l], leaves - fewest_[r]) : most_[l];
        std::int64_t from = to;
        if (limited) from = std::max(fewest_[l], leaves - most_[r]);
        for (std::int64_t on_left = from; on_left <= to; ++on_left) {
            const std::int64_t on_right = limited ? leaves - on_left : most_[r];
            bound = std::min(bound, pair(part, on_left, on_right, range, range, limit, best));
        }
    }
    best.bound = std::max(bound, least_[p]);
    if (best.value < upper) best.bound = best.value;
    return best;
}

double Beginning::pair(std::int32_t part, std::int64_t left_leaves, std::int64_t right_leaves,
                       const Range& of_left, const Range& of_right, double& limit, Found& best) {
    const LaidPart& mine = parts_[static_cast<std::size_t>(part)];
    const double least_right = least_[static_cast<std::size_t>(mine.parts[1])];
    const Found a = solve(mine.parts[0], left_leaves, of_left, limit - least_right);
    if (!(a.value < limit - least_right)) return a.bound + least_right;
    const Found b = solve(mine.parts[1], right_leaves, of_right, limit - a.value);
    if (!(b.value < limit - a.value)) return a.value + b.bound;
    const bool left_is_less = mine.sign > 0;
    const std::size_t o = mine.sign == 0 ? 0 : order_.output_of_class(mine.of_class);
    const Value most = mine.sign == 0 ? 0 : (left_is_less ? a : b).leaves.high[o];
    const Value least = mine.sign == 0 ? 0 : (left_is_less ? b : a).leaves.low[o];
    if (most <= least) {
        best.value = limit = a.value + b.value;
        best.growth = of_condition(part, a.growth, b.growth);
        best.leaves = a.leaves;
        best.leaves.include(b.leaves);
        take(part, best);
        return best.value;
    }
    // All of the lower side stays at the middle or below it, or all of the upper side above it.
    const Value middle = least + (most - least) / 2;
    double bound = binary::infinite;
    for (const bool lower : {true, false}) {
        Range left = of_left, right = of_right;
        (lower == left_is_less ? left : right).halve(o, middle, lower);
        bound = std::min(bound, pair(part, left_leaves, right_leaves, left, right, limit, best));
    }
    return std::max(bound, a.value + b.value);
}

// Keeps a tree of all rows.
void Beginning::take(std::int32_t part, const Found& found) {
    if (part != 0 || found.value >= best_value) return;
    best_value = found.value;
    best = found.growth;
    monitor_.improve(best_value);
}

}  // namespace ramify::optimal::monotone
