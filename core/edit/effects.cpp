#include "edit/effects.hpp"

#include <algorithm>
#include <stdexcept>

#include "edit/question.hpp"
#include "support/parallel.hpp"

namespace ramify {
namespace {

Effect effect_of(const Problem& problem, const HeldOutRows& held_out, Unseen unseen,
                 const KeptRows& grown, const KeptRows& held_out_here, const SkeletonNode& asked) {
    const auto c = static_cast<std::size_t>(asked.attribute);
    const Column& column = problem.table[c];
    const std::size_t branches = asked.children.size();
    const std::size_t width = problem.classes > 0 ? problem.classes : 3;
    Effect effect;
    effect.rows.assign(branches + 1, 0);
    effect.sums.assign((branches + 1) * width, 0.0);
    const BranchQuestion question(asked.kind, asked.threshold, asked.branch_of_code);
    const bool levels = asked.kind != ConditionKind::threshold;
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
        if (branch < 0) branch = asked.missing_to;
        const std::size_t b = branch < 0 ? branches : static_cast<std::size_t>(branch);
        const double weight = (problem.weights.empty() ? 1.0 : problem.weights[row]) * part;
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
        effect.held_out.push_back(static_cast<std::int8_t>(branch));
    }
    return effect;
}

}  // namespace

std::vector<Effect> effects(const Problem& problem, const HeldOutRows& held_out, Unseen unseen,
                            const KeptRows& grown, const KeptRows& held_out_here,
                            const std::vector<SkeletonNode>& asked, Interrupt& interrupt) {
    for (const SkeletonNode& one : asked) {
        if (one.children.size() > 127) throw std::invalid_argument("asked: too many branches");
    }
    std::vector<Effect> found(asked.size());
    for_each_index(asked.size(), problem.parameters.threads, [&](std::size_t i) {
        interrupt.poll();
        found[i] = effect_of(problem, held_out, unseen, grown, held_out_here, asked[i]);
    });
    return found;
}

}  // namespace ramify
