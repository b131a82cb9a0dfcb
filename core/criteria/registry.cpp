// The one list of criteria by name: of classes, and of numbers.
#include <array>
#include <stdexcept>

#include "criteria/absolute_error.hpp"
#include "criteria/chi2.hpp"
#include "criteria/chi2_cut.hpp"
#include "criteria/criterion.hpp"
#include "criteria/distance.hpp"
#include "criteria/entropy.hpp"
#include "criteria/gain_ratio.hpp"
#include "criteria/gamma.hpp"
#include "criteria/gini.hpp"
#include "criteria/maxdif.hpp"
#include "criteria/misclassification.hpp"
#include "criteria/mpi.hpp"
#include "criteria/poisson.hpp"
#include "criteria/quantile.hpp"
#include "criteria/squared_error.hpp"
#include "criteria/squared_gini.hpp"
#include "criteria/twoing.hpp"
#include "support/choices.hpp"

namespace ramify {
namespace {

template <typename C>
std::unique_ptr<Criterion> make(const CriterionOptions& options) {
    return std::make_unique<C>(options);
}

struct Entry {
    std::string_view name;
    std::unique_ptr<Criterion> (*make)(const CriterionOptions&);
};

template <typename C>
constexpr Entry entry(std::string_view name = C::name) {
    return {name, make<C>};
}

constexpr std::array registry{
    entry<Gini>(),        entry<Entropy>(),
    entry<GainRatio>(),   entry<Distance>(),
    entry<Twoing>(),      entry<Misclassification>(Misclassification::name_of_berzal),
    entry<MaxDif>(),      entry<MeanPosteriorImprovement>(),
    entry<ChiSquare>(),   entry<Misclassification>(),
    entry<SquaredGini>(), entry<ChiSquareCut>(),
};

struct NumberEntry {
    std::string_view name;
    std::unique_ptr<Criterion> (*make)(const NumberOptions&);
};

template <typename C>
constexpr NumberEntry number_entry() {
    return {C::name, [](const NumberOptions& options) -> std::unique_ptr<Criterion> {
                return std::make_unique<C>(options);
            }};
}

constexpr std::array numbers{number_entry<SquaredError>(), number_entry<AbsoluteError>(),
                             number_entry<Quantile>(), number_entry<Poisson>(),
                             number_entry<Gamma>()};

}  // namespace

std::vector<std::string> number_criteria() {
    std::vector<std::string> names;
    for (const NumberEntry& entry : numbers) names.emplace_back(entry.name);
    return names;
}

std::unique_ptr<Criterion> make_number_criterion(std::string_view name,
                                                 const NumberOptions& options) {
    if (!(options.quantile > 0.0 && options.quantile < 1.0))
        throw std::invalid_argument("quantile must lie between 0 and 1");
    return find_by_name(numbers, "criterion", name).make(options);
}

std::vector<CriterionInfo> criteria() {
    std::vector<CriterionInfo> all;
    for (const Entry& entry : registry) {
        const auto made = entry.make({});
        all.push_back({std::string(entry.name), made->counts_rows(), made->takes_costs(),
                       made->binary_only(), !made->sums_suffice()});
    }
    return all;
}

std::unique_ptr<Criterion> make_criterion(std::string_view name, const CriterionOptions& options) {
    auto criterion = find_by_name(registry, "criterion", name).make(options);
    criterion->min_support = options.min_support;
    return criterion;
}

double score_of(std::string_view name, const CriterionOptions& options, const double* children,
                std::size_t count, std::size_t classes) {
    const auto criterion = make_criterion(name, options);
    if (criterion->binary_only() && count != 2) {
        throw std::invalid_argument("criterion='" + std::string(name) +
                                    "' is defined for two children, not for " +
                                    std::to_string(count));
    }
    std::vector<double> node(classes, 0.0);
    for (std::size_t i = 0; i < count * classes; ++i) node[i % classes] += children[i];
    return criterion->score({node.data(), children, count, classes});
}

}  // namespace ramify
