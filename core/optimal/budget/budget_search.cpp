#include "optimal/budget/budget_search.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace ramify::optimal::budget {
namespace {

constexpr double rounding = 1e-9;    // of budgets, as a share of the weight of all rows
constexpr std::size_t often = 1024;  // pairs, or points, between two looks at the time

}  // namespace

// Every threshold of every column as a column of bits; `splits` tells which it is.
void BudgetSearch::make_questions() {
    questions_ = priced(problem_);
    questions_.columns.clear();
    questions_.start.clear();
    for (std::size_t c = 0; c < problem_.columns.size(); ++c) {
        const SearchColumn& column = problem_.columns[c];
        for (std::int32_t code = 0; code + 1 < column.values; ++code) {
            monitor_.poll();
            std::vector<std::uint64_t> right((problem_.rows + 63) / 64, 0);
            for (std::size_t row = 0; row < problem_.rows; ++row) {
                right[row / 64] |= std::uint64_t{column[row] > code} << row % 64;
            }
            bits_.push_back(std::move(right));
            splits_.push_back({static_cast<std::int32_t>(c), code});
        }
    }
    for (const auto& right : bits_) {
        SearchColumn question;
        question.bits = right;
        question.values = 2;
        questions_.columns.push_back(question);
    }
    table_.emplace(questions_, true, monitor_);
}

OptimalProblem BudgetSearch::priced(OptimalProblem problem) const {
    problem.costs = costs_;
    for (const Budget& budget : budgets_) {
        const auto c = static_cast<std::size_t>(budget.label);
        for (std::size_t answer = 0; answer < problem.classes; ++answer) {
            if (answer != c) problem.costs[c * problem.classes + answer] += budget.price;
        }
    }
    return problem;
}

BudgetSearch::BudgetSearch(const OptimalProblem& problem, const std::vector<Budget>& budgets,
                           const Limits& limits, Monitor& monitor)
    : problem_(problem),
      budgets_(budgets),
      limits_(limits),
      monitor_(monitor),
      dimensions_(1 + budgets.size()),
      counting_(problem.weights.empty()),
      costs_(LeafLoss(problem).costs()) {
    double total = 0.0;
    const LeafLoss loss(problem);
    for (std::size_t row = 0; row < problem.rows; ++row) total += loss.weight(row);
    for (Budget& budget : budgets_) budget.most += rounding * total;
}

double BudgetSearch::priced_of(const double* values) const {
    double sum = values[0];
    for (std::size_t b = 0; b < budgets_.size(); ++b) sum += budgets_[b].price * values[1 + b];
    return sum;
}

bool BudgetSearch::within(const double* values) const {
    for (std::size_t b = 0; b < budgets_.size(); ++b) {
        if (values[1 + b] > budgets_[b].most) return false;
    }
    return true;
}

void BudgetSearch::offer(const double* values, const Origin& origin, double limit, Front& to) {
    const double price = priced_of(values);
    if (price >= limit || !within(values)) return;
    to.values.insert(to.values.end(), values, values + dimensions_);
    to.priced.push_back(price);
    to.origin.push_back(origin);
    if (to.size() < to.full) return;
    keep_undominated(to);
    to.full = std::max(many, 2 * to.size());
}

// Of equal points the first stays.
void BudgetSearch::keep_undominated(Front& to) {
    std::vector<std::size_t> order(to.size()), kept;
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto of = [&](std::size_t at) { return to.values.data() + at * dimensions_; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::lexicographical_compare(of(a), of(a) + dimensions_, of(b), of(b) + dimensions_);
    });
    for (const std::size_t at : order) {
        monitor_.poll();
        const auto dominates = [&](std::size_t other) {
            for (std::size_t d = 1; d < dimensions_; ++d) {
                if (of(other)[d] > of(at)[d]) return false;
            }
            return true;
        };
        // With one budget, costs rise and the missed weight falls from point to point.
        const bool worse = dimensions_ == 2 ? !kept.empty() && dominates(kept.back())
                                            : std::any_of(kept.begin(), kept.end(), dominates);
        if (!worse) kept.push_back(at);
    }
    Front rest;
    rest.full = to.full;
    for (const std::size_t at : kept) {
        rest.values.insert(rest.values.end(), of(at), of(at) + dimensions_);
        rest.priced.push_back(to.priced[at]);
        rest.origin.push_back(std::move(to.origin[at]));
        rest.least = std::min(rest.least, rest.priced.back());
    }
    to = std::move(rest);
}

void BudgetSearch::class_weights(const Cover& cover, double* to) const {
    std::fill(to, to + problem_.classes, 0.0);
    const auto& segment = table_->segment;
    for (std::size_t c = 0; c < problem_.classes; ++c) {
        std::int64_t count = 0;
        for (std::size_t w = segment[c]; w < segment[c + 1]; ++w) {
            if (counting_) {
                count += std::popcount(cover[w]);
                continue;
            }
            for (Word rest = cover[w]; rest; rest &= rest - 1) {
                const auto place = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
                to[c] += problem_.weights[static_cast<std::size_t>(table_->row_at[place])];
            }
        }
        if (counting_) to[c] = static_cast<double>(count);
    }
}

// The leaf with every answer.
void BudgetSearch::leaf_points(const double* weights, double limit, Front& to) {
    const std::size_t k = problem_.classes;
    std::vector<double> values(dimensions_);
    for (std::size_t answer = 0; answer < k; ++answer) {
        values[0] = limits_.sparsity;
        for (std::size_t c = 0; c < k; ++c) values[0] += weights[c] * costs_[c * k + answer];
        for (std::size_t b = 0; b < budgets_.size(); ++b) {
            const auto c = static_cast<std::size_t>(budgets_[b].label);
            values[1 + b] = c == answer ? 0.0 : weights[c];
        }
        Origin origin;
        origin.answer = static_cast<std::int32_t>(answer);
        offer(values.data(), origin, limit, to);
    }
}

// The thresholds of each column that divide the rows, each division once, with enough rows on both
// sides. They ascend, so the left sides grow.
std::vector<std::vector<std::size_t>> BudgetSearch::divisions(const Cover& cover) const {
    const std::int64_t rows = table_->rows(cover.data());
    std::vector<std::vector<std::size_t>> columns;
    std::int32_t column = -1;
    std::int64_t before = -1;
    for (std::size_t f = 0; f < table_->features(); ++f) {
        const Word* bits = table_->feature(f);
        std::int64_t right = 0;
        for (std::size_t w = 0; w < cover.size(); ++w) right += std::popcount(cover[w] & bits[w]);
        const std::int32_t mine = splits_[static_cast<std::size_t>(table_->column[f])].column;
        if (mine != column) before = -1;
        if (mine != column || columns.empty()) columns.emplace_back();
        column = mine;
        const bool enough = std::min(right, rows - right) >= limits_.min_samples_leaf;
        if (enough && right != before) columns.back().push_back(f);
        before = right;
    }
    return columns;
}

// Calls found(feature, left, right) for every split whose branches may be part of a tree below the
// limit. Where leaves may have any size, a branch with more rows costs no less. So between two
// thresholds the left branch costs at least as much as at the lower one, and the right branch as at
// the upper one, and whole intervals are given up.
template <typename MostOf, typename Found>
void BudgetSearch::branch(const Cover& cover, int depth, Leaves leaves, MostOf&& limit,
                          Found&& found) {
    struct Interval {
        std::ptrdiff_t low, high;
        double left, right;  // bounds of the branches
    };
    const bool ordered = limits_.min_samples_leaf <= 1;
    const double base = limits_.sparsity;
    Cover left(cover.size()), right(cover.size());
    for (const auto& thresholds : divisions(cover)) {
        std::vector<Interval> open{
            {0, static_cast<std::ptrdiff_t>(thresholds.size()) - 1, base, base}};
        while (!open.empty()) {
            const Interval at = open.back();
            open.pop_back();
            if (at.low > at.high || at.left + at.right >= limit()) continue;
            const std::ptrdiff_t middle = (at.low + at.high) / 2;
            const std::size_t f = thresholds[static_cast<std::size_t>(middle)];
            const Word* bits = table_->feature(f);
            for (std::size_t w = 0; w < cover.size(); ++w) {
                right[w] = cover[w] & bits[w];
                left[w] = cover[w] & ~bits[w];
            }
            const double most_left = limit() - at.right, most_right = limit() - at.left;
            const FrontPointer a = front(left, depth - 1, leaves.left, most_left);
            const FrontPointer b = front(right, depth - 1, leaves.right, most_right);
            const double cost_left = a->size() > 0 ? a->least : most_left;
            const double cost_right = b->size() > 0 ? b->least : most_right;
            if (a->size() > 0 && b->size() > 0 && cost_left + cost_right < limit()) {
                found(static_cast<std::int32_t>(f), a, b);
            }
            Interval lower{at.low, middle - 1, at.left, at.right};
            Interval upper{middle + 1, at.high, at.left, at.right};
            if (ordered) {
                lower.right = std::max(lower.right, cost_right);
                upper.left = std::max(upper.left, cost_left);
            }
            open.push_back(lower);
            open.push_back(upper);
        }
    }
}

// How the leaves may be divided among two branches. With enough of them there is one way.
std::vector<BudgetSearch::Leaves> BudgetSearch::shares(int depth, std::int64_t leaves) {
    const std::int64_t half = depth > 62 ? leaves : std::int64_t{1} << (depth - 1);
    const std::int64_t fewest = std::max<std::int64_t>(1, leaves - half);
    std::vector<Leaves> found;
    for (std::int64_t left = std::min(half, fewest); left < leaves && left <= half; ++left) {
        found.push_back({left, std::min(half, leaves - left)});
    }
    return found;
}

void BudgetSearch::join(std::int32_t feature, const FrontPointer& left, const FrontPointer& right,
                        double limit, Front& to) {
    std::vector<double> values(dimensions_);
    Origin origin;
    origin.feature = feature;
    for (std::size_t i = 0; i < left->size(); ++i) {
        if (left->priced[i] + right->least >= limit) continue;
        for (std::size_t j = 0; j < right->size(); ++j) {
            if (++pairs_ % often == 0) monitor_.poll();
            if (left->priced[i] + right->priced[j] >= limit) continue;
            for (std::size_t d = 0; d < dimensions_; ++d) {
                values[d] = left->values[i * dimensions_ + d] + right->values[j * dimensions_ + d];
            }
            origin.branch[0] = left;
            origin.branch[1] = right;
            origin.at[0] = i;
            origin.at[1] = j;
            offer(values.data(), origin, limit, to);
        }
    }
}

BudgetSearch::FrontPointer BudgetSearch::front(const Cover& cover, int depth, std::int64_t leaves,
                                               double limit) {
    monitor_.poll();
    ++subproblems_;
    if (depth < 62) leaves = std::min(leaves, std::int64_t{1} << depth);
    const auto salt = static_cast<std::uint64_t>(depth + (leaves << 8));
    const binary::Fingerprint key = binary::fingerprint(cover.data(), cover.size(), salt);
    if (depth > 0) {
        const auto found = known_.find(key);
        if (found != known_.end() && found->second.limit >= limit) return found->second.front;
    }
    auto made = std::make_shared<Front>();
    std::vector<double> weights(problem_.classes);
    class_weights(cover, weights.data());
    leaf_points(weights.data(), limit, *made);
    const double least = unavoidable(cover) + 2 * limits_.sparsity;  // of a split
    if (depth > 0 && leaves >= 2 && least < limit) {
        for (const Leaves share : shares(depth, leaves)) {
            branch(
                cover, depth, share, [&] { return limit; },
                [&](std::int32_t feature, const FrontPointer& a, const FrontPointer& b) {
                    join(feature, a, b, limit, *made);
                });
        }
    }
    keep_undominated(*made);
    const std::size_t bytes =
        made->size() * (sizeof(Origin) + (dimensions_ + 1) * sizeof(double)) + 160;
    if (depth > 0 && bytes_ + bytes <= limits_.memory) {
        bytes_ += bytes;
        known_[key] = {limit, made};
    }
    return made;
}

void BudgetSearch::write(const Front& front, std::size_t at, std::vector<LabelledNode>& to) const {
    const Origin& origin = front.origin[at];
    const std::size_t mine = to.size();
    to.emplace_back();
    if (origin.feature < 0) {
        to[mine].label = origin.answer;
        return;
    }
    const auto question =
        static_cast<std::size_t>(table_->column[static_cast<std::size_t>(origin.feature)]);
    to[mine].node = splits_[question];
    to[mine].node.left = static_cast<std::int32_t>(to.size());
    write(*origin.branch[0], origin.at[0], to);
    to[mine].node.right = static_cast<std::int32_t>(to.size());
    write(*origin.branch[1], origin.at[1], to);
}

std::vector<std::int32_t> BudgetSearch::answers(const std::vector<LabelledNode>& nodes) const {
    std::vector<std::int32_t> to(problem_.rows);
    for (std::size_t row = 0; row < problem_.rows; ++row) {
        std::size_t at = 0;
        while (nodes[at].node.column >= 0) {
            const Node& node = nodes[at].node;
            const auto code = problem_.columns[static_cast<std::size_t>(node.column)][row];
            at = static_cast<std::size_t>(code <= node.code ? node.left : node.right);
        }
        to[row] = nodes[at].label;
    }
    return to;
}

// Of the root only the point of least cost is wanted, so every tree that is found lowers the limit.
BudgetResult BudgetSearch::run() {
    BudgetResult result;
    try {
        make_questions();
        double allowed = 0.0;  // what the budgets may cost by their prices
        for (const Budget& budget : budgets_) allowed += budget.price * budget.most;
        double upper = limits_.upper_bound;
        if (upper < std::numeric_limits<double>::infinity()) monitor_.improve(upper);
        const auto limit = [&] { return upper + allowed; };
        const Cover& all = table_->all;
        const auto take = [&](Front& found) {
            keep_undominated(found);
            if (found.size() == 0 || !(found.values[0] < upper)) return;
            result.cost = upper = found.values[0];  // the first has the least cost
            result.nodes.clear();
            write(found, 0, result.nodes);
            monitor_.improve(upper);
        };
        const int depth = limits_.max_depth;
        const std::int64_t leaves = depth < 62
                                        ? std::min(limits_.max_leaves, std::int64_t{1} << depth)
                                        : limits_.max_leaves;
        std::vector<double> weights(problem_.classes);
        class_weights(all, weights.data());
        Front whole;
        leaf_points(weights.data(), limit(), whole);
        take(whole);
        if (depth > 0 && leaves >= 2) {
            for (const Leaves share : shares(depth, leaves)) {
                branch(all, depth, share, limit,
                       [&](std::int32_t feature, const FrontPointer& a, const FrontPointer& b) {
                           Front found;
                           join(feature, a, b, limit(), found);
                           take(found);
                       });
            }
        }
        result.finished = true;
    } catch (const Halt&) {
        // The best tree so far stays.
    }
    monitor_.end_search();
    result.interrupted = monitor_.interrupted();
    result.subproblems = subproblems_;
    if (!result.nodes.empty()) result.answers = answers(result.nodes);
    return result;
}

}  // namespace ramify::optimal::budget
