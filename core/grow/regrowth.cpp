#include "grow/regrowth.hpp"

#include <algorithm>
#include <stdexcept>

#include "grow/grow.hpp"
#include "support/parallel.hpp"

namespace ramify {

Regrowth::Regrowth(const Problem& problem) : problem_(problem) {
    problem_.parameters.competitor_depth = 0;
}

std::vector<Tree> Regrowth::grow(std::span<const double> weights, std::span<const double> targets,
                                 Interrupt& interrupt) {
    const std::size_t rows = problem_.table.rows();
    const std::size_t trees = weights.size() / rows;
    std::vector<Problem> parts(trees, problem_);
    for (std::size_t t = 0; t < trees; ++t) {
        Problem& part = parts[t];
        part.weights = weights.subspan(t * rows, rows);
        if (part.classes == 0) part.target = targets.subspan(t * rows, rows);
        if (std::none_of(part.weights.begin(), part.weights.end(),
                         [](double weight) { return weight > 0.0; })) {
            throw std::invalid_argument("weights: no row takes part");
        }
        const bool weighted = has_weights(part);
        std::optional<ColumnForms>& forms = forms_[weighted ? 1 : 0];
        if (!forms) forms = forms_of(part, weighted);
        part.forms = &*forms;
        if (trees > 1) part.parameters.threads = 1;  // the trees share them
    }
    std::vector<std::optional<Tree>> grown(trees);
    for_each_index(trees, problem_.parameters.threads, [&](std::size_t t) {
        interrupt.poll();
        grown[t] = ramify::grow(parts[t], interrupt);
    });
    std::vector<Tree> result;
    result.reserve(trees);
    for (std::optional<Tree>& tree : grown) result.push_back(std::move(*tree));
    return result;
}

}  // namespace ramify
