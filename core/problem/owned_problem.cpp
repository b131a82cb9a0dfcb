#include "problem/owned_problem.hpp"

#include <algorithm>
#include <stdexcept>

#include "criteria/costs.hpp"
#include "support/choices.hpp"
#include "support/parallel.hpp"

namespace ramify {
namespace {

bool has_nominal(const Table& table) {
    for (std::size_t c = 0; c < table.size(); ++c) {
        if (table[c].kind == Kind::nominal) return true;
    }
    return false;
}

std::span<const double> checked_weights(const Table& table,
                                        const std::optional<std::span<const double>>& weights) {
    if (!weights) return {};
    if (weights->size() != table.rows()) throw std::invalid_argument("weights: wrong length");
    return *weights;
}

void require_monotone(const GrowParameters& parameters, const Table& table, std::size_t classes) {
    const auto& signs = parameters.monotone;
    if (signs.empty()) return;
    if (signs.size() != table.size() ||
        (classes > 0 && parameters.monotone_class.size() != table.size()))
        throw std::invalid_argument("monotone: one sign, and one class, for every column");
    for (std::size_t c = 0; c < signs.size(); ++c) {
        if (signs[c] == 0) continue;
        const std::int32_t of = classes > 0 ? parameters.monotone_class[c] : 0;
        const Kind kind = table[c].kind;
        if (signs[c] < -1 || signs[c] > 1 || of < 0 ||
            (classes > 0 && static_cast<std::size_t>(of) >= classes))
            throw std::invalid_argument("monotone: a sign is -1, 0 or 1, a class is one of them");
        if (kind == Kind::nominal || (kind == Kind::ordinal && parameters.merges()))
            throw std::invalid_argument("monotone: the column has no thresholds");
    }
}

GrowParameters checked_parameters(GrowParameters parameters, const Table& table,
                                  std::size_t classes) {
    if (parameters.selection == Selection::chaid && !parameters.merges())
        throw std::invalid_argument("selection 'chaid' needs 'merge'");
    parameters.threads = usable_threads(parameters.threads);
    require_monotone(parameters, table, classes);
    return parameters;
}

// A criterion that is defined for two branches cannot score multiway splits.
void require_multiway(const Criterion& criterion, const std::string& name,
                      const std::string& categorical_split) {
    if (!criterion.binary_only()) return;
    std::vector<std::string> others;
    for (const CriterionInfo& info : criteria()) {
        if (!info.binary_only) others.push_back(info.name);
    }
    throw std::invalid_argument(
        "criterion='" + name + "' is defined for two branches, not for categorical_split='" +
        categorical_split + "'; for branches of any number choose criterion=" + listed(others) +
        ", for two branches categorical_split='auto'");
}

// Deviances are defined for counts, and for amounts above zero.
void require_targets(const Criterion& criterion, const Problem& problem) {
    if (!by_deviance(criterion)) return;
    const bool counts = criterion.walk_kind() == WalkKind::poisson;
    for (std::size_t row = 0; row < problem.target.size(); ++row) {
        const double y = problem.target[row];
        if (problem.includes(row) && !(counts ? y >= 0.0 : y > 0.0)) {
            throw std::invalid_argument("target: " + std::to_string(y) +
                                        " does not fit the criterion");
        }
    }
}

}  // namespace

Problem OwnedProblem::ready() const {
    if (problem.table.used_up()) throw std::invalid_argument("the table has been used up");
    return problem;
}

void OwnedProblem::constrain(Constraints by) {
    require_fit(by, problem.table);
    constraints = std::make_unique<Constraints>(std::move(by));
    problem.constraints = constraints.get();
}

void set_up_classification(OwnedProblem& to, ClassificationGiven given,
                           const GrowParameters& parameters) {
    Problem& problem = to.problem;
    problem.weights = checked_weights(problem.table, given.weights);
    problem.parameters = checked_parameters(parameters, problem.table, given.classes);
    problem.labels = given.labels;
    problem.classes = given.classes;
    if (given.labels.size() != problem.table.rows() || given.classes == 0 ||
        std::any_of(given.labels.begin(), given.labels.end(), [&](std::int32_t label) {
            return label < 0 || static_cast<std::size_t>(label) >= given.classes;
        })) {
        throw std::invalid_argument("labels do not fit the table or the classes");
    }
    CriterionOptions options{given.min_support, {}};
    if (given.costs) {
        if (given.costs->empty() || !costs_fit(given.classes, *given.costs))
            throw std::invalid_argument("costs: wrong size");
        to.costs = regrets(given.classes, *given.costs);
        options.costs = mixing_costs(given.classes, *given.costs);
    }
    std::string name;
    if (auto* own = std::get_if<std::unique_ptr<Criterion>>(&given.criterion)) {
        to.criterion = std::move(*own);
        to.criterion->min_support = given.min_support;
    } else {
        name = std::get<std::string>(given.criterion);
        to.criterion = make_criterion(name, options);
    }
    if (!to.criterion->thread_safe()) problem.parameters.threads = 1;
    problem.parameters.multiway =
        given.categorical_split == "multiway" || problem.parameters.merges();
    if (problem.parameters.multiway) {
        require_multiway(*to.criterion, name, given.categorical_split);
    } else {
        NominalSearchOptions search_options;
        search_options.seed = problem.parameters.seed;
        to.nominal = make_nominal_search(given.categorical_split, search_options);
        if (has_nominal(problem.table))
            require_fit(given.categorical_split, *to.criterion, given.classes);
    }
    problem.criterion = to.criterion.get();
    problem.nominal = to.nominal.get();
}

void set_up_regression(OwnedProblem& to, RegressionGiven given, const GrowParameters& parameters) {
    Problem& problem = to.problem;
    problem.weights = checked_weights(problem.table, given.weights);
    problem.parameters = checked_parameters(parameters, problem.table, 0);
    problem.target = given.target;
    if (given.target.size() != problem.table.rows())
        throw std::invalid_argument("target: wrong length");
    problem.parameters.multiway = given.multiway || problem.parameters.merges();
    if (auto* own = std::get_if<std::unique_ptr<Criterion>>(&given.criterion)) {
        to.criterion = std::move(*own);
    } else {
        to.criterion =
            make_number_criterion(std::get<std::string>(given.criterion), {given.quantile});
    }
    if (!to.criterion->thread_safe()) problem.parameters.threads = 1;
    require_targets(*to.criterion, problem);
    if (!parameters.monotone.empty() && to.criterion->walk_kind() == WalkKind::ranks)
        throw std::invalid_argument("monotone: not by ranks");
    problem.criterion = to.criterion.get();
}

}  // namespace ramify
