// The one list of criteria by name.
#include <array>
#include <stdexcept>
#include <utility>

#include "criteria/chi2.hpp"
#include "criteria/chi2_cut.hpp"
#include "criteria/criterion.hpp"
#include "criteria/distance.hpp"
#include "criteria/entropy.hpp"
#include "criteria/gain_ratio.hpp"
#include "criteria/gini.hpp"
#include "criteria/maxdif.hpp"
#include "criteria/misclassification.hpp"
#include "criteria/mpi.hpp"
#include "criteria/squared_gini.hpp"
#include "criteria/twoing.hpp"

namespace ramify {
namespace {

template <typename C>
std::unique_ptr<Criterion> make(const CriterionOptions& options) {
    return std::make_unique<C>(options);
}

using Factory = std::unique_ptr<Criterion> (*)(const CriterionOptions&);
constexpr std::array registry{
    std::pair<std::string_view, Factory>{"gini", make<Gini>},
    std::pair<std::string_view, Factory>{"entropy", make<Entropy>},
    std::pair<std::string_view, Factory>{"gain_ratio", make<GainRatio>},
    std::pair<std::string_view, Factory>{"distance", make<Distance>},
    std::pair<std::string_view, Factory>{"twoing", make<Twoing>},
    std::pair<std::string_view, Factory>{"generalized_gini", make<Misclassification>},
    std::pair<std::string_view, Factory>{"maxdif", make<MaxDif>},
    std::pair<std::string_view, Factory>{"mpi", make<MeanPosteriorImprovement>},
    std::pair<std::string_view, Factory>{"chi2", make<ChiSquare>},
    std::pair<std::string_view, Factory>{"misclassification", make<Misclassification>},
    std::pair<std::string_view, Factory>{"squared_gini", make<SquaredGini>},
    std::pair<std::string_view, Factory>{"chi2_cut", make<ChiSquareCut>},
};

}  // namespace

std::vector<std::string> criterion_names() {
    std::vector<std::string> names;
    for (const auto& entry : registry) names.emplace_back(entry.first);
    return names;
}

std::unique_ptr<Criterion> make_criterion(std::string_view name, const CriterionOptions& options) {
    for (const auto& entry : registry) {
        if (entry.first != name) continue;
        auto criterion = entry.second(options);
        criterion->min_support = options.min_support;
        return criterion;
    }
    std::string choices;
    for (const auto& entry : registry)
        choices += (choices.empty() ? "" : ", ") + std::string(entry.first);
    throw std::invalid_argument("unknown criterion '" + std::string(name) + "'; choose from " +
                                choices);
}

}  // namespace ramify
