#include "optimal/near/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "optimal/extent.hpp"

namespace ramify::optimal::near {

NearGraph::NearGraph(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
                     const Limits& limits, const Switches& switches, Monitor& monitor,
                     const Constraints& constraints)
    : table_(problem, columns, limits, monitor),
      laid_(constraints.laid),
      monitor_(monitor),
      switches_(switches),
      cache_(limits.memory / 2, switches.cache),
      memory_(limits.memory / 2) {
    search_ = std::make_unique<binary::Search>(
        binary::SearchContext{*table_.table, table_.limits, switches_, cache_, trees_, monitor_});
    if (!constraints.signs.sign.empty())
        order_.emplace(table_, *constraints.cells, constraints.signs);
    std::int64_t full = laid_.empty() ? full_leaves(std::min(limits.max_depth, 30)) : 0;
    for (const LaidPart& part : laid_) {
        if (part.kind == LaidPart::Kind::branch) full += full_leaves(std::min(part.depth, 30));
    }
    slack_ = 2 * std::min<Cost>(limits.max_leaves, full) + 8;
    for (std::size_t row = 0; row < problem.rows; ++row) {
        const LeafLoss& loss = table_.table->loss;
        stake_ = loss.regression() ? std::max(stake_, loss.weight(row) * table_.table->stake_of_row)
                                   : std::max(stake_, loss.stake(row));
    }
    if (laid_.empty()) {
        subproblem(table_.table->all.data(), limits.max_depth);
    } else {
        lay_down();
    }
}

void NearGraph::lay_down() {
    covers_.resize(laid_.size());
    node_of_part_.assign(laid_.size(), -1);
    same_wanted_.assign(laid_.size(), -1);
    for (std::size_t p = laid_.size(); p-- > 0;) {
        const LaidPart& part = laid_[p];
        if (part.kind == LaidPart::Kind::branch) {
            covers_[p] = table_.cover(part.rows);
            continue;
        }
        covers_[p].assign(table_.words(), 0);
        for (const std::int32_t below : part.parts) {
            const Cover& rows = covers_.at(static_cast<std::size_t>(below));
            for (std::size_t w = 0; w < table_.words(); ++w) covers_[p][w] |= rows[w];
        }
    }
    for (std::size_t p = 0; p < laid_.size(); ++p) {
        if (laid_[p].wanted.empty()) continue;
        std::size_t first = 0;
        while (laid_[first].wanted != laid_[p].wanted) ++first;
        same_wanted_[p] = static_cast<std::int32_t>(first);
    }
    lay_down(0);
}

// Makes the subproblem of a part, and those below it.
std::int32_t NearGraph::lay_down(std::int32_t part) {
    const auto p = static_cast<std::size_t>(part);
    if (node_of_part_[p] >= 0) return node_of_part_[p];
    const LaidPart& laid = laid_[p];
    if (laid.kind == LaidPart::Kind::branch) {
        return node_of_part_[p] = subproblem(covers_[p].data(), laid.depth, same_wanted_[p]);
    }
    const auto node = static_cast<std::int32_t>(nodes_.size());
    node_of_part_[p] = node;
    Subproblem made;
    made.leaf = table_.leaf(covers_[p].data());
    made.part = part;
    nodes_.push_back(std::move(made));
    bytes_ += sizeof(Subproblem);
    std::int32_t depth = 0;
    const auto add = [&](std::int32_t below) {
        depth = std::max(depth, nodes_[static_cast<std::size_t>(lay_down(below))].depth + 1);
    };
    for (const std::int32_t below : laid.parts) {
        if (laid.kind == LaidPart::Kind::condition) {
            add(below);
        } else {
            for (const std::int32_t side : laid_[static_cast<std::size_t>(below)].parts) add(side);
        }
    }
    nodes_[static_cast<std::size_t>(node)].depth = depth;
    return node;
}

std::int32_t NearGraph::column(const Option& option) const {
    if (option.question >= 0)
        return table_.questions[static_cast<std::size_t>(option.question)].column;
    return laid_[static_cast<std::size_t>(-2 - option.question)].column;
}

void NearGraph::sides(const Option& option, const Word* cover, Cover& left, Cover& right) const {
    if (option.question < 0) {
        const LaidPart& part = laid_[static_cast<std::size_t>(-2 - option.question)];
        left = covers_[static_cast<std::size_t>(part.parts[0])];
        right = covers_[static_cast<std::size_t>(part.parts[1])];
        return;
    }
    const Word* bits = table_.bits(static_cast<std::size_t>(option.question));
    left.resize(table_.words());
    right.resize(table_.words());
    for (std::size_t w = 0; w < table_.words(); ++w) {
        right[w] = cover[w] & bits[w];
        left[w] = cover[w] & ~bits[w];
    }
}

// The mean of a node lies between those of its leaves. So sides whose means break the order have no
// trees that keep it.
bool NearGraph::ordered(Option& option, const Cover& left, const Cover& right) const {
    if (!order_) return true;
    if (option.question >= 0) {
        const auto question = static_cast<std::size_t>(option.question);
        if (!order_->sound(question)) return false;
        option.sign = order_->sign(question, left.data(), right.data());
        option.output = order_->output(question);
    } else {
        const LaidPart& part = laid_[static_cast<std::size_t>(-2 - option.question)];
        option.sign = part.sign;
        option.output = part.sign == 0 ? 0 : order_->output_of_class(part.of_class);
    }
    if (option.sign == 0) return true;
    const monotone::Range a = order_->of_rows(left.data()), b = order_->of_rows(right.data());
    const monotone::Range& less = option.sign > 0 ? a : b;
    const monotone::Range& more = option.sign > 0 ? b : a;
    return less.low[option.output] <= more.low[option.output] + monotone::Order::slack;
}

Cost NearGraph::least_of_laid(std::int32_t part, Cost limit) {
    const auto p = static_cast<std::size_t>(part);
    const LaidPart& laid = laid_[p];
    if (laid.kind == LaidPart::Kind::branch) return least(covers_[p].data(), laid.depth, limit);
    Cost best = laid.kind == LaidPart::Kind::choice ? std::numeric_limits<Cost>::max() : 0;
    for (const std::int32_t below : laid.parts) {
        if (laid.kind == LaidPart::Kind::choice) {
            best = std::min(best, least_of_laid(below, limit));
        } else if (best <= limit) {
            best += least_of_laid(below, limit - best);
        }
    }
    return best;
}

void NearGraph::expand_laid(std::int32_t node, Cost budget) {
    monitor_.poll();
    const Subproblem& mine = nodes_[static_cast<std::size_t>(node)];
    if (mine.budget >= budget) return;
    const LaidPart& laid = laid_[static_cast<std::size_t>(mine.part)];
    const std::vector<std::int32_t> conditions =
        laid.kind == LaidPart::Kind::choice ? laid.parts : std::vector<std::int32_t>{mine.part};
    std::vector<Option> options;
    for (const std::int32_t condition : conditions) {
        const auto& parts = laid_[static_cast<std::size_t>(condition)].parts;
        Option option{-2 - condition, lay_down(parts[0]), lay_down(parts[1])};
        const Cover& one = covers_[static_cast<std::size_t>(parts[0])];
        const Cover& other = covers_[static_cast<std::size_t>(parts[1])];
        if (!ordered(option, one, other)) continue;
        const Cost left = least_of_laid(parts[0], budget);
        const Cost right = least_of_laid(parts[1], budget - left);
        if (left + right > budget) continue;
        expand(option.left, one.data(), budget - right);
        expand(option.right, other.data(), budget - left);
        options.push_back(option);
    }
    Subproblem& done = nodes_[static_cast<std::size_t>(node)];
    done.options = std::move(options);
    done.budget = budget;
}

void NearGraph::expand(Cost budget) {
    expand(root, table_.table->all.data(), budget);
}

std::int32_t NearGraph::subproblem(const Word* cover, std::int32_t depth, std::int32_t wanted) {
    const auto salt = static_cast<std::uint64_t>(wanted + 1);
    const Key key{binary::fingerprint(cover, table_.words(), salt), depth};
    const auto next = static_cast<std::int32_t>(nodes_.size());
    const auto [at, added] = known_.emplace(key, next);
    if (!added) return at->second;
    Subproblem node;
    node.leaf = table_.leaf(cover);
    node.depth = depth;
    node.wanted = wanted;
    if (order_) node.range = order_->of_rows(cover);
    nodes_.push_back(std::move(node));
    constexpr std::size_t of_map = 64;
    bytes_ += sizeof(Subproblem) + of_map;
    if (bytes_ > memory_) throw Full();
    return next;
}

std::int64_t NearGraph::divide(const Word* cover, std::size_t question, Word* left,
                               Word* right) const {
    const Word* bits = table_.bits(question);
    std::int64_t on_left = 0, on_right = 0;
    for (std::size_t w = 0; w < table_.words(); ++w) {
        right[w] = cover[w] & bits[w];
        left[w] = cover[w] & ~bits[w];
        on_left += std::popcount(left[w]);
        on_right += std::popcount(right[w]);
    }
    return std::min(on_left, on_right) >= table_.limits.min_samples_leaf ? on_left : -1;
}

// The least cost of a tree with at most one split.
Cost NearGraph::least_of_one_split(const Word* cover) const {
    const binary::BinaryTable& table = *table_.table;
    const std::size_t width = table.loss.width();
    std::vector<double> all(width), left(width), right(width);
    table.sums(cover, all.data());
    double best = table.loss(all.data()) + table_.limits.sparsity;
    Cover sides(2 * table_.words());
    for (std::size_t f = 0; f < table.features(); ++f) {
        const Word* bits = table.feature(f);
        std::int64_t count = 0, total = 0;
        for (std::size_t w = 0; w < table_.words(); ++w) {
            sides[w] = cover[w] & bits[w];
            count += std::popcount(sides[w]);
            total += std::popcount(cover[w]);
        }
        if (std::min(count, total - count) < table_.limits.min_samples_leaf) continue;
        table.sums(sides.data(), right.data());
        for (std::size_t i = 0; i < width; ++i) left[i] = all[i] - right[i];
        best = std::min(
            best, table.loss(left.data()) + table.loss(right.data()) + 2 * table_.limits.sparsity);
    }
    return static_cast<Cost>(std::floor(best * table_.scale)) - slack_;
}

// A bound on the cost of all trees for these rows; if it is at most `limit`, the least cost but for
// the slack.
Cost NearGraph::least(const Word* cover, std::int32_t depth, Cost limit) {
    if (depth == 0) return table_.leaf(cover).cost;
    if (depth == 1) {
        const Key key{binary::fingerprint(cover, table_.words(), 1), depth};
        if (const auto known = one_split_.find(key); known != one_split_.end())
            return known->second;
        const Cost found = least_of_one_split(cover);
        one_split_.emplace(key, found);
        bytes_ += 64;
        return found;
    }
    const double upper = table_.loss_of(limit + 2 * slack_);
    const binary::Answer answer =
        search_->solve(cover, depth, table_.limits.max_leaves, upper, binary::any_budget);
    const double bound = std::min(answer.bound, answer.value);
    return static_cast<Cost>(std::floor(bound * table_.scale)) - slack_;
}

void NearGraph::expand(std::int32_t node, const Word* cover, Cost budget) {
    {
        const Subproblem& known = nodes_[static_cast<std::size_t>(node)];
        if (known.part >= 0) return expand_laid(node, budget);
        if (known.budget >= budget) return;
    }
    const std::int32_t wanted = nodes_[static_cast<std::size_t>(node)].wanted;
    monitor_.poll();
    struct Child {
        Option option;
        Cost left, right;
    };
    std::vector<Child> children;
    const std::int32_t depth = nodes_[static_cast<std::size_t>(node)].depth;
    const std::size_t words = table_.words();
    Cover left(words), right(words), normal(words);
    const Cost price = table_.fixed(table_.limits.sparsity);
    if (depth > 0 && table_.limits.max_leaves > 1 && 2 * price <= budget) {
        std::set<std::tuple<std::int32_t, std::uint64_t, std::uint64_t>> seen;
        // The threshold before, and a bound on its trees.
        struct {
            std::int32_t feature;
            std::int64_t on_left;
            Cost bound;
        } last{-1, 0, 0};
        const auto first = static_cast<std::size_t>(
            std::find_if(cover, cover + words, [](Word word) { return word != 0; }) - cover);
        for (std::size_t q = 0; q < table_.questions.size(); ++q) {
            if (q % 16 == 0) monitor_.poll();
            const std::int64_t on_left = divide(cover, q, left.data(), right.data());
            if (on_left < 0) continue;
            const Question& question = table_.questions[q];
            if (wanted >= 0 && !laid_[static_cast<std::size_t>(wanted)].wanted.at(
                                   static_cast<std::size_t>(question.column))) {
                continue;
            }
            Option option{static_cast<std::int32_t>(q), -1, -1};
            if (!ordered(option, left, right)) continue;
            if (table_.limits.min_samples_leaf <= 1 && question.feature == last.feature) {
                // Rows that change sides lower the bound by their stakes at most.
                const auto moved = static_cast<double>(std::abs(on_left - last.on_left));
                if (last.bound - table_.fixed(moved * stake_) - slack_ > budget) continue;
            }
            last = {question.feature, on_left, 0};
            const auto unavoidable = [&](const Cover& side) {
                const double bound = table_.table->unavoidable(side.data());
                return static_cast<Cost>(std::floor(bound * table_.scale)) + price - slack_;
            };
            const Cost low_right = unavoidable(right);
            last.bound = unavoidable(left) + low_right;
            if (last.bound > budget) continue;
            const Cost best_left = least(left.data(), depth - 1, budget - low_right);
            last.bound = best_left + low_right;
            if (last.bound > budget) continue;
            const Cost best_right = least(right.data(), depth - 1, budget - best_left);
            last.bound = best_left + best_right;
            if (last.bound > budget) continue;
            const bool first_on_right = right[first] >> std::countr_zero(cover[first]) & 1;
            const Cover& with_first = first_on_right ? right : left;
            const auto print = binary::fingerprint(with_first.data(), words, 0);
            if (!seen.emplace(question.column, print.low, print.high).second) continue;
            option.left = subproblem(left.data(), depth - 1, wanted);
            option.right = subproblem(right.data(), depth - 1, wanted);
            children.push_back({option, best_left, best_right});
        }
    }
    for (const Child& child : children) {
        divide(cover, static_cast<std::size_t>(child.option.question), left.data(), right.data());
        expand(child.option.left, left.data(), budget - child.right);
        expand(child.option.right, right.data(), budget - child.left);
    }
    Subproblem& done = nodes_[static_cast<std::size_t>(node)];
    bytes_ += children.size() * sizeof(Option);
    bytes_ -= done.options.size() * sizeof(Option);
    done.options.clear();
    done.options.reserve(children.size());
    for (const Child& child : children) done.options.push_back(child.option);
    done.budget = budget;
    if (bytes_ > memory_) throw Full();
}

}  // namespace ramify::optimal::near
