#include "edit/effects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "edit/question.hpp"
#include "evaluate/test_scores.hpp"
#include "support/parallel.hpp"

namespace ramify {
namespace {

// What a test of a column adds up, row by row, over the rows that have a value.
class Tested {
  public:
    Tested(const Problem& problem, const Column& column, const KeptRows& rows, double mean)
        : problem_(problem), column_(column), mean_(mean), nominal_(column.kind == Kind::nominal) {
        const std::size_t classes = problem.classes;
        if (nominal_) {
            sums_.assign(column.levels * std::max<std::size_t>(classes, 1), 0.0);
            if (classes == 0) weights_.assign(column.levels, 0.0);
            return;
        }
        weights_.assign(classes, 0.0);
        sums_.assign(classes, 0.0);
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        double middle = 0.0;
        for (const auto* list : {&rows.whole, &rows.divided}) {
            for (const std::uint32_t row : *list) {
                const double x = column.missing(row) ? low : column.value(row);
                if (!std::isfinite(x)) continue;
                low = std::min(low, x);
                if (x > high) high = middle = x;
            }
        }
        if (low <= high) scores_ = TestScores(low, high, middle);
    }

    void add(std::uint32_t row, double weight) {
        const double y = problem_.classes > 0 ? 0.0 : problem_.target[row] - mean_;
        if (nominal_) {
            const auto level = static_cast<std::size_t>(column_.codes[row]);
            if (problem_.classes > 0) {
                sums_[level * problem_.classes + static_cast<std::size_t>(problem_.labels[row])] +=
                    weight;
            } else {
                weights_[level] += weight;
                sums_[level] += weight * y;
                squares_ += weight * y * y;
            }
            return;
        }
        const double x = scores_(column_.value(row));
        if (problem_.classes > 0) {
            const auto label = static_cast<std::size_t>(problem_.labels[row]);
            weights_[label] += weight;
            sums_[label] += weight * x;
            squares_ += weight * x * x;
        } else {
            products_.weight += weight;
            products_.x += weight * x;
            products_.xx += weight * x * x;
            products_.y += weight * y;
            products_.xy += weight * x * y;
            products_.yy += weight * y * y;
        }
    }

    IndependenceTest test() const {
        const bool classes = problem_.classes > 0;
        if (nominal_) {
            return classes ? test_nominal(sums_.data(), column_.levels, problem_.classes)
                           : test_levels(weights_.data(), sums_.data(), squares_, column_.levels);
        }
        return classes ? test_numeric(weights_.data(), sums_.data(), squares_, problem_.classes)
                       : test_correlation(products_);
    }

  private:
    const Problem& problem_;
    const Column& column_;
    double mean_;
    bool nominal_;
    TestScores scores_{0.0, 0.0, 0.0};
    std::vector<double> weights_, sums_;
    double squares_ = 0.0;
    ProductSums products_;
};

double mean_of(const Problem& problem, const KeptRows& rows) {
    if (problem.classes > 0) return 0.0;
    double sum = 0.0;
    for (const std::uint32_t row : rows.whole) sum += problem.target[row];
    return rows.whole.empty() ? 0.0 : sum / static_cast<double>(rows.whole.size());
}

Effect effect_of(const Problem& problem, const HeldOutRows& held_out, Unseen unseen,
                 const KeptRows& grown, const KeptRows& held_out_here, const SkeletonNode& asked,
                 double mean) {
    const auto c = static_cast<std::size_t>(asked.attribute);
    const Column& column = problem.table[c];
    const std::size_t branches = asked.children.size();
    const std::size_t width = problem.classes > 0 ? problem.classes : 3;
    Effect effect;
    effect.rows.assign(branches + 1, 0);
    effect.sums.assign((branches + 1) * width, 0.0);
    const BranchQuestion question(asked.kind, asked.threshold, asked.branch_of_code);
    const bool levels = asked.kind != ConditionKind::threshold;
    Tested tested(problem, column, grown, mean);
    std::vector<std::uint8_t> present(levels ? column.levels : 0, 0);
    const auto add = [&](std::uint32_t row, double part) {
        std::int32_t branch;
        if (column.kind == Kind::numeric) {
            branch = question.of_number(column.values[row]);
        } else {
            const std::int32_t code = column.codes[row];
            branch = code < 0 ? BranchQuestion::missing : question.of_code(code);
            if (levels && code >= 0) present[static_cast<std::size_t>(code)] = 1;
        }
        const double weight = (problem.weights.empty() ? 1.0 : problem.weights[row]) * part;
        if (branch != BranchQuestion::missing) tested.add(row, weight);
        if (branch < 0) branch = asked.missing_to;
        const std::size_t b = branch < 0 ? branches : static_cast<std::size_t>(branch);
        ++effect.rows[b];
        double* to = effect.sums.data() + b * width;
        if (problem.classes > 0) {
            to[problem.labels[row]] += weight;
        } else {
            to[0] += weight;
            to[1] += weight * problem.target[row];
            to[2] += weight * problem.target[row] * problem.target[row];
        }
    };
    for (const std::uint32_t row : grown.whole) add(row, 1.0);
    for (std::size_t i = 0; i < grown.divided.size(); ++i) add(grown.divided[i], grown.part[i]);
    effect.test = tested.test();
    if (held_out.rows == 0) return effect;

    // A level that no row of the node has follows the rule for unseen levels.
    std::vector<std::int32_t> branch_of_code = asked.branch_of_code;
    for (std::size_t code = 0; code < present.size(); ++code) {
        if (present[code] == 0 && column.kind != Kind::ordinal)
            branch_of_code[code] = BranchQuestion::unseen;
    }
    const BranchQuestion walk(asked.kind, asked.threshold, branch_of_code);
    const auto weight_of = [&](std::size_t b) {
        const double* sums = effect.sums.data() + b * width;
        return problem.classes > 0 ? ramify::weight_of(sums, width) : sums[0];
    };
    std::int32_t heaviest = 0;
    for (std::size_t b = 1; b < branches; ++b) {
        if (weight_of(b) > weight_of(static_cast<std::size_t>(heaviest)))
            heaviest = static_cast<std::int32_t>(b);
    }
    std::vector<std::int32_t> taken;
    walk.ask(held_out.columns[c], held_out_here.whole, taken);
    effect.held_out.reserve(taken.size());
    for (std::int32_t branch : taken) {
        if (branch == BranchQuestion::unseen && unseen == Unseen::majority) branch = heaviest;
        if (branch < 0) branch = asked.missing_to;
        effect.held_out.push_back(static_cast<std::int16_t>(branch));
    }
    return effect;
}

}  // namespace

std::vector<Effect> effects(const Problem& problem, const HeldOutRows& held_out, Unseen unseen,
                            const KeptRows& grown, const KeptRows& held_out_here,
                            const std::vector<SkeletonNode>& asked, Interrupt& interrupt) {
    for (const SkeletonNode& one : asked) {
        if (one.children.size() > 32767) throw std::invalid_argument("asked: too many branches");
    }
    const double mean = mean_of(problem, grown);
    std::vector<Effect> found(asked.size());
    for_each_index(asked.size(), problem.parameters.threads, [&](std::size_t i) {
        interrupt.poll();
        found[i] = effect_of(problem, held_out, unseen, grown, held_out_here, asked[i], mean);
    });
    return found;
}

}  // namespace ramify
