#include "prune/reduced_error.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "counts/independence.hpp"
#include "prune/cut.hpp"
#include "prune/fold_growth.hpp"
#include "prune/held_out.hpp"
#include "prune/judge.hpp"
#include "tree/walker.hpp"

namespace ramify {
namespace {

// Losses that differ by less are equal: they are sums of shares.
constexpr double rounding = 1e-9;
constexpr std::size_t moments = 3;

double weight_of_row(const Problem& problem, std::size_t row) {
    return problem.weights.empty() ? 1.0 : problem.weights[row];
}

// Sums of squares are taken about a point near the targets; otherwise small differences would be
// lost.
double centre_of(const Problem& problem) {
    return problem.target.empty() ? 0.0 : problem.target[0];
}

template <typename Visit>
void for_each_marked(const Problem& problem, std::span<const std::uint8_t> marks,
                     Interrupt& interrupt, Visit&& visit) {
    for (std::size_t row = 0; row < problem.table.rows(); ++row) {
        if (row % 1024 == 0) interrupt.poll();
        if (marks[row] != 0 && weight_of_row(problem, row) > 0.0) visit(row);
    }
}

// The loss of the tree's predictions for the marked rows, by weight.
double prediction_loss(const Problem& problem, const Tree& tree,
                       std::span<const std::uint8_t> marks, std::span<const double> costs,
                       Unseen unseen, Interrupt& interrupt) {
    Loss loss(tree, judge_of(problem, costs));
    const std::vector<PredictColumn> columns = predict_columns(problem.table);
    Walker walker{tree, columns, unseen};
    double sum = 0.0;
    for_each_marked(problem, marks, interrupt, [&](std::size_t row) {
        walker.spread(row, 0, [](std::int32_t) {});
        const double weight = weight_of_row(problem, row);
        if (walker.ends.size() == 1) {
            sum += weight * loss.at(row, static_cast<std::size_t>(walker.ends[0].node));
            return;
        }
        loss.clear();
        const auto parts = [&](auto&& add) {
            for (const Spread& end : walker.ends) add(end);
        };
        parts([&](const Spread& end) { loss.add(end); });
        sum += weight * loss.of_mixture(row, parts);
    });
    return sum;
}

std::size_t width_of(const Tree& tree) {
    return tree.task() == Task::classification ? tree.width() : moments;
}

HeldOutSums sums_of_marked(const Problem& problem, const Tree& tree,
                           std::span<const std::uint8_t> marks, std::span<const double> costs,
                           Unseen unseen, Interrupt& interrupt) {
    std::vector<std::uint32_t> rows;
    for_each_marked(problem, marks, interrupt,
                    [&](std::size_t row) { rows.push_back(static_cast<std::uint32_t>(row)); });
    const HeldOut held_out{predict_columns(problem.table), rows, problem.weights, unseen};
    return held_out_sums(tree, judge_of(problem, costs), centre_of(problem), held_out, interrupt);
}

}  // namespace

HeldOutSums held_out_sums(const Tree& tree, const Judge& judge, double centre,
                          const HeldOut& held_out, Interrupt& interrupt) {
    const TreeArrays& a = tree.arrays();
    const std::size_t width = width_of(tree);
    HeldOutSums sums{std::vector<double>(tree.size(), 0.0),
                     std::vector<double>(tree.size() * width, 0.0)};
    const Loss loss(tree, judge);
    const Walker walker{tree, held_out.columns, held_out.unseen};
    std::vector<Spread> stack;
    for (std::size_t i = 0; i < held_out.rows.size(); ++i) {
        if (i % 1024 == 0) interrupt.poll();
        const std::size_t row = held_out.rows[i];
        stack.assign(1, {0, held_out.weights.empty() ? 1.0 : held_out.weights[row]});
        while (!stack.empty()) {
            const Spread part = stack.back();
            stack.pop_back();
            const auto node = static_cast<std::size_t>(part.node);
            sums.loss[node] += part.share * loss.at(row, node);
            double* counts = sums.counts.data() + node * width;
            if (tree.task() == Task::classification) {
                counts[judge.labels[row]] += part.share;
            } else {
                const double y = judge.target[row] - centre;
                counts[0] += part.share;
                counts[1] += part.share * y;
                counts[2] += part.share * y * y;
            }
            if (a.kind[node] == 0) continue;
            const std::int32_t taken = walker.branch(node, row);
            for (std::int32_t b = 0; b < a.n_children[node]; ++b) {
                const std::int32_t child = a.first_child[node] + b;
                const double share =
                    taken >= 0 ? (b == taken ? part.share : 0.0)
                               : part.share * a.proportion[static_cast<std::size_t>(child)];
                if (share > 0.0) stack.push_back({child, share});
            }
        }
    }
    return sums;
}

HeldOutJudge::HeldOutJudge(const Problem& problem, const Tree& tree,
                           std::span<const std::uint8_t> marks, std::span<const double> costs,
                           Unseen unseen, Interrupt& interrupt)
    : HeldOutJudge(tree, sums_of_marked(problem, tree, marks, costs, unseen, interrupt)) {}

HeldOutJudge::HeldOutJudge(const Tree& tree, HeldOutSums sums)
    : tree_(tree), sums_(std::move(sums)), width_(width_of(tree)), log_p_(tree.size(), 0.0) {
    if (sums_.loss.size() != tree.size() || sums_.counts.size() != tree.size() * width_)
        throw std::invalid_argument("the sums are not those of the tree");
    test_splits();
}

// Tests every split by its contingency table: branches by classes, or branches by target.
void HeldOutJudge::test_splits() {
    const TreeArrays& a = tree_.arrays();
    for (std::size_t i = 0; i < tree_.size(); ++i) {
        if (a.kind[i] == 0) continue;
        const auto branches = static_cast<std::size_t>(a.n_children[i]);
        const double* counts =
            sums_.counts.data() + static_cast<std::size_t>(a.first_child[i]) * width_;
        IndependenceTest test;
        if (tree_.task() == Task::classification) {
            test = test_nominal(counts, branches, width_);
        } else {
            std::vector<double> weights(branches);
            std::vector<double> sums(branches);
            for (std::size_t b = 0; b < branches; ++b) {
                weights[b] = counts[b * width_];
                sums[b] = counts[b * width_ + 1];
            }
            test = test_levels(weights.data(), sums.data(), sums_.counts[i * width_ + 2], branches);
        }
        if (test.tested) log_p_[i] = test.log_p;
    }
}

std::vector<std::uint8_t> HeldOutJudge::retired(std::optional<double> significance) const {
    const TreeArrays& a = tree_.arrays();
    std::vector<std::uint8_t> marks(tree_.size(), 0);
    std::vector<double> best = sums_.loss;          // of the pruned subtree at a node
    for (std::size_t i = tree_.size(); i-- > 0;) {  // children come after their parents
        if (a.kind[i] == 0) continue;
        double below = 0.0;
        bool inner = false;  // whether a split below survives
        for (std::int32_t b = 0; b < a.n_children[i]; ++b) {
            const auto child = static_cast<std::size_t>(a.first_child[i] + b);
            below += best[child];
            inner = inner || (a.kind[child] != 0 && marks[child] == 0);
        }
        const bool associated = inner || !significance || log_p_[i] <= std::log(*significance);
        const double loss = sums_.loss[i];
        const bool useful = loss - below > rounding * (loss + below);
        marks[i] = (useful && associated) || a.forced(i) ? 0 : 1;
        if (marks[i] == 0) best[i] = below;
    }
    return marks;
}

std::vector<LevelRole> level_roles(std::span<const std::uint8_t> numbers) {
    std::vector<LevelRole> roles;
    roles.reserve(numbers.size());
    for (const std::uint8_t number : numbers) {
        if (number > static_cast<std::uint8_t>(LevelRole::tested))
            throw std::invalid_argument("roles: unknown");
        roles.push_back(static_cast<LevelRole>(number));
    }
    return roles;
}

std::vector<double> LevelLosses::of_finished() const {
    std::vector<double> all;
    for (std::size_t fold = 0; fold < finished.size(); ++fold) {
        if (finished[fold] != 0)
            all.insert(all.end(), of_folds[fold].begin(), of_folds[fold].end());
    }
    return all;
}

LevelLosses losses_of_levels(const Problem& problem, std::span<const LevelRole> roles,
                             std::span<const std::optional<double>> levels,
                             std::span<const double> costs, Unseen unseen, Interrupt& interrupt,
                             std::atomic<int>& done) {
    const std::size_t rows = problem.table.rows();
    const std::size_t count = rows > 0 ? roles.size() / rows : 0;
    const auto marked = [&](std::size_t fold, LevelRole role) {
        std::vector<std::uint8_t> marks(rows);
        for (std::size_t row = 0; row < rows; ++row) marks[row] = roles[fold * rows + row] == role;
        return marks;
    };
    LevelLosses result{std::vector<std::vector<double>>(count), {}};
    const auto growing = [&](std::size_t fold) { return marked(fold, LevelRole::growing); };
    result.finished = grow_folds(
        problem, count, growing, interrupt, done, [&](std::size_t fold, const Tree& tree) {
            const HeldOutJudge judged(problem, tree, marked(fold, LevelRole::held_out), costs,
                                      unseen, interrupt);
            const std::vector<std::uint8_t> tested = marked(fold, LevelRole::tested);
            for (const std::optional<double>& level : levels) {
                const Tree pruned = cut(tree, judged.retired(level));
                result.of_folds[fold].push_back(
                    prediction_loss(problem, pruned, tested, costs, unseen, interrupt));
            }
        });
    return result;
}

}  // namespace ramify
