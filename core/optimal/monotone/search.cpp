#include "optimal/monotone/search.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace ramify::optimal::monotone {
namespace {

using binary::infinite;

// What a memory of ranges may hold for one set of rows, and what an entry takes, about.
constexpr std::size_t most_ranges = 64;
constexpr std::size_t bytes_of_entry = 256;
constexpr Value slack = Order::slack;

bool reaches(const Range& node, const Range& range) {
    for (std::size_t o = 0; o < node.low.size(); ++o) {
        if (range.low[o] > std::numeric_limits<Value>::min() + slack &&
            node.low[o] < range.low[o] - slack) {
            return false;
        }
        if (range.high[o] < std::numeric_limits<Value>::max() - slack &&
            node.high[o] > range.high[o] + slack) {
            return false;
        }
    }
    return true;
}

}  // namespace

// A split of a node, with the rows of its sides.
struct Search::Split {
    std::int32_t question = -1;
    int sign = 0;
    std::size_t output = 0;
    Cover left, right;
    double least_left = 0.0, least_right = 0.0;  // bounds of the sides, whatever the range
    double limit = infinite;                     // pairs of branches must cost less
};

Search::Search(const near::NearTable& table, const Order& order, const Switches& switches,
               Monitor& monitor)
    : table_(table),
      order_(order),
      limits_(table.limits),
      switches_(switches),
      monitor_(monitor),
      words_(table.words()),
      cache_(limits_.memory / 2, switches.cache),
      relaxed_({*table.table, table.limits, switches, cache_, trees_, monitor}) {}

Answer Search::leaf(const Word* cover) const {
    const LeafLoss& loss = table_.table->loss;
    std::vector<double> sums(loss.width());
    table_.table->sums(cover, sums.data());
    Answer answer;
    answer.value = answer.bound = loss(sums.data()) + limits_.sparsity;
    answer.tree = std::make_shared<const Shape>();
    answer.leaves = order_.of_leaf(sums.data());
    return answer;
}

void Search::take(const Answer& answer, bool root) {
    if (!root || answer.value >= best_value) return;
    best_value = answer.value;
    best = answer.tree;
    monitor_.improve(best_value);
}

Answer Search::solve(const Word* cover, int depth, std::int64_t leaves, const Range& range,
                     double upper, bool root) {
    monitor_.poll();
    ++statistics.subproblems;
    if (depth < 62) leaves = std::min(leaves, std::int64_t{1} << depth);
    Answer answer = leaf(cover);
    Answer none;
    none.bound = infinite;
    none.leaves = answer.leaves;
    if (!reaches(answer.leaves, range)) return none;  // a mean lies between those of the leaves
    const bool within = range.holds(answer.leaves);
    const std::int64_t rows = table_.table->rows(cover);
    if (depth == 0 || leaves < 2 || rows < 2 * limits_.min_samples_leaf) {
        return within ? answer : none;
    }
    // More leaves cost more, and no tree costs less than what no question tells apart.
    if (within && answer.value <= limits_.sparsity + table_.table->unavoidable(cover)) {
        return answer;
    }
    const Key key{
        binary::fingerprint(cover, words_, static_cast<std::uint64_t>(depth + (leaves << 8))),
        number_};
    Answer known;
    if (!root && look_up(key, range, upper, known)) return known;
    Answer found = within ? answer : none;
    if (found.value < upper) take(found, root);
    double bound = std::max(known.bound, 0.0);
    const double limit = std::min(upper, found.value);
    bool done = bound >= limit;
    if (!done && depth > 1) done = relaxed_tree(cover, depth, leaves, range, limit, found, bound);
    if (!done) {
        if (root && all_depths) monitor_.bound(std::min(bound, limit));
        found.bound = bound;
        try_splits(cover, depth, leaves, range, upper, root, found);
        bound = std::max(bound, std::min(found.bound, found.value));
    }
    found.bound = std::min(bound, found.value);
    if (found.value < upper) {
        found.bound = found.value;
        take(found, root);
    } else {
        found.value = infinite;
        found.tree = nullptr;
    }
    remember(key, range, upper, found);
    return found;
}

double Search::relaxed_bound(const Word* cover, int depth, std::int64_t leaves, double upper) {
    if (depth < 2) return 0.0;  // it is solved as fast
    const binary::Answer relaxed = relaxed_.solve(cover, depth, leaves, upper, binary::any_budget);
    return std::min(relaxed.bound, relaxed.value);
}

// A tree of questions for some rows. `leave(answer, keeps)` gets the answer of every node, with
// whether its own split keeps the order, and may change it.
template <typename Leave>
Answer Search::follow(const NodeList& nodes, std::size_t at, const Word* cover, Leave&& leave) {
    const Node& node = nodes[at];
    if (node.column < 0) {
        Answer answer = leaf(cover);
        leave(answer, true, cover);
        return answer;
    }
    const auto question = static_cast<std::size_t>(node.column);
    Cover left(words_), right(words_);
    divide(cover, question, left, right);
    const auto below = [&](std::int32_t child, const Cover& side) {
        return follow(nodes, static_cast<std::size_t>(child), side.data(), leave);
    };
    const Answer a = below(node.left, left), b = below(node.right, right);
    const int sign = order_.sign(question, left.data(), right.data());
    const std::size_t o = order_.output(question);
    const bool ordered =
        sign == 0 || (sign > 0 ? a : b).leaves.high[o] <= (sign > 0 ? b : a).leaves.low[o];
    Answer answer = joined(node.column, a, b);
    leave(answer, ordered && allowed(question), cover);
    return answer;
}

bool Search::relaxed_tree(const Word* cover, int depth, std::int64_t leaves, const Range& range,
                          double upper, Answer& best, double& bound) {
    const binary::Answer relaxed = relaxed_.solve(cover, depth, leaves, upper, binary::any_budget);
    bound = std::max(bound, std::min(relaxed.bound, relaxed.value));
    if (bound >= upper) return true;
    if (relaxed.value >= upper || relaxed.tree == binary::TreeStore::leaf) return false;
    NodeList nodes;
    relaxed_.write(cover, relaxed.tree, depth, leaves, nodes);
    bool all_keep = true;
    const Answer tree = follow(nodes, 0, cover, [&](const Answer& answer, bool keeps, const Word*) {
        all_keep = all_keep && keeps && range.holds(answer.leaves);
    });
    if (!all_keep || tree.value >= upper) return false;
    best = tree;
    best.bound = tree.value;
    return true;
}

Answer Search::joined(std::int32_t question, const Answer& a, const Answer& b) {
    Answer answer;
    answer.value = a.value + b.value;
    answer.tree = std::make_shared<const Shape>(Shape{question, a.tree, b.tree});
    answer.leaves = a.leaves;
    answer.leaves.include(b.leaves);
    return answer;
}

void Search::divide(const Word* cover, std::size_t question, Cover& left, Cover& right) const {
    const Word* bits = table_.bits(question);
    for (std::size_t w = 0; w < words_; ++w) {
        right[w] = cover[w] & bits[w];
        left[w] = cover[w] & ~bits[w];
    }
}

Answer Search::keep_order(const NodeList& nodes, const Word* cover) {
    return follow(nodes, 0, cover, [&](Answer& answer, bool keeps, const Word* rows) {
        if (!keeps) answer = leaf(rows);
    });
}

// Examines the splits of a node, those of the least loss first. `best` has a tree already, or only
// a bound; it gets the best tree, and a bound on all trees with a split.
void Search::try_splits(const Word* cover, int depth, std::int64_t leaves, const Range& range,
                        double upper, bool root, Answer& best) {
    const near::NearTable& table = table_;
    const LeafLoss& loss = table.table->loss;
    const std::int64_t rows = table.table->rows(cover);
    std::vector<double> all(loss.width()), left(loss.width()), right(loss.width());
    table.table->sums(cover, all.data());
    struct Candidate {
        double score;  // loss of both sides as leaves
        std::int32_t question;
    };
    std::vector<Candidate> order;
    Cover side(words_);
    for (std::size_t q = 0; q < table.questions.size(); ++q) {
        if (q % 16 == 0) monitor_.poll();
        if (!allowed(q)) continue;
        const Word* bits = table.bits(q);
        std::int64_t on_right = 0;
        for (std::size_t w = 0; w < words_; ++w) {
            side[w] = cover[w] & bits[w];
            on_right += std::popcount(side[w]);
        }
        if (std::min(on_right, rows - on_right) < limits_.min_samples_leaf) continue;
        table.table->sums(side.data(), right.data());
        for (std::size_t k = 0; k < all.size(); ++k) left[k] = all[k] - right[k];
        order.push_back({loss(left.data()) + loss(right.data()), static_cast<std::int32_t>(q)});
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
    double least = infinite;
    Split split;
    split.left.resize(words_);
    split.right.resize(words_);
    for (const Candidate& one : order) {
        const auto q = static_cast<std::size_t>(one.question);
        split.question = one.question;
        divide(cover, q, split.left, split.right);
        const double limit = split.limit = std::min(upper, best.value);
        if (depth == 1 && one.score + 2 * limits_.sparsity >= limit) {  // so do all that follow
            least = std::min(least, one.score + 2 * limits_.sparsity);
            break;
        }
        split.sign = order_.sign(q, split.left.data(), split.right.data());
        split.output = order_.output(q);
        Answer found;
        found.bound = infinite;
        try_split(split, depth, leaves, range, found);
        least = std::min(least, found.bound);
        if (found.value >= limit) continue;
        const double before = best.bound;
        best = found;
        best.bound = before;
        take(best, root);
    }
    best.bound = std::max(best.bound, least);
}

void Search::try_split(Split& split, int depth, std::int64_t leaves, const Range& range,
                       Answer& best) {
    monitor_.poll();
    --depth;
    const double price = limits_.sparsity;
    const auto least = [&](const Cover& side) {
        return table_.table->unavoidable(side.data()) + price;
    };
    split.least_left = least(split.left);
    split.least_right = least(split.right);
    best.bound = split.least_left + split.least_right;
    if (best.bound >= split.limit) {
        ++statistics.bounded;
        return;
    }
    // If the leaves are in order and within the range, so are the means of both sides.
    const Range left = leaf(split.left.data()).leaves, right = leaf(split.right.data()).leaves;
    if (!reaches(left, range) || !reaches(right, range)) {
        best.bound = infinite;
        return;
    }
    if (split.sign != 0) {
        const Range& less = split.sign > 0 ? left : right;
        const Range& more = split.sign > 0 ? right : left;
        if (less.low[split.output] > more.low[split.output] + slack) {
            best.bound = infinite;
            return;
        }
    }
    const std::int64_t half = depth < 62 ? std::int64_t{1} << depth : leaves;
    const bool limited = leaves < 2 * half;
    const std::int64_t most = limited ? std::min(half, leaves - 1) : half;
    split.least_left = std::max(split.least_left, relaxed_bound(split.left.data(), depth, most,
                                                                split.limit - split.least_right));
    best.bound = split.least_left + split.least_right;
    if (best.bound < split.limit) {
        split.least_right = std::max(
            split.least_right,
            relaxed_bound(split.right.data(), depth, most, split.limit - split.least_left));
        best.bound = split.least_left + split.least_right;
    }
    if (best.bound >= split.limit) {
        ++statistics.bounded;
        return;
    }
    double bound = infinite;
    const std::int64_t from = limited ? std::max<std::int64_t>(1, leaves - half) : half;
    for (std::int64_t l = from; l <= most; ++l) {
        const std::int64_t r = limited ? leaves - l : half;
        bound = std::min(bound, pair(split, depth, l, r, range, range, best));
    }
    best.bound = std::max(best.bound, bound);
}

double Search::pair(Split& split, int depth, std::int64_t left_leaves, std::int64_t right_leaves,
                    const Range& of_left, const Range& of_right, Answer& best) {
    const Answer a =
        solve(split.left.data(), depth, left_leaves, of_left, split.limit - split.least_right);
    if (a.value >= split.limit - split.least_right) return a.bound + split.least_right;
    const Answer b =
        solve(split.right.data(), depth, right_leaves, of_right, split.limit - a.value);
    if (b.value >= split.limit - a.value) return a.value + b.bound;
    const std::size_t o = split.output;
    const bool left_is_less = split.sign > 0;
    const Value most = split.sign == 0 ? 0 : (left_is_less ? a : b).leaves.high[o];
    const Value least = split.sign == 0 ? 0 : (left_is_less ? b : a).leaves.low[o];
    if (most <= least) {
        const double bound = best.bound;
        best = joined(split.question, a, b);
        best.bound = bound;
        split.limit = best.value;
        return best.value;
    }
    // All of the lower side stays at the middle or below it, or all of the upper side above it.
    const Value middle = least + (most - least) / 2;
    double bound = infinite;
    for (const bool lower : {true, false}) {
        Range left = of_left, right = of_right;
        (lower == left_is_less ? left : right).halve(o, middle, lower);
        bound = std::min(bound, pair(split, depth, left_leaves, right_leaves, left, right, best));
    }
    return std::max(bound, a.value + b.value);
}

// Whether all is known of these rows for the range. If not, `answer` gets the best bound.
bool Search::look_up(const Key& key, const Range& range, double upper, Answer& answer) {
    const auto at = known_.find(key);
    if (at == known_.end()) return false;
    for (const Known& known : at->second) {
        if (!known.range.holds(range)) continue;
        answer.bound = std::max(answer.bound, known.bound);
        if (known.value < infinite && range.holds(known.leaves)) {
            ++statistics.cache_hits;
            if (known.value < upper) {
                answer.value = known.value;
                answer.tree = known.tree;
            }
            answer.bound = known.value;
            answer.leaves = known.leaves;
            return true;
        }
    }
    if (answer.bound < upper) return false;
    ++statistics.cache_hits;
    return true;
}

void Search::remember(const Key& key, const Range& range, double upper, const Answer& answer) {
    if (!switches_.cache) return;
    if (known_entries_ * bytes_of_entry > limits_.memory / 2) {
        known_.clear();
        known_entries_ = 0;
        ++statistics.evictions;
    }
    std::vector<Known>& entries = known_[key];
    if (entries.size() >= most_ranges) {
        known_entries_ -= entries.size();
        entries.clear();
    }
    const bool exact = answer.value < upper;
    entries.push_back(
        {range, answer.bound, exact ? answer.value : infinite, answer.tree, answer.leaves});
    ++known_entries_;
    statistics.cache_entries = static_cast<std::int64_t>(known_entries_);
}

}  // namespace ramify::optimal::monotone
