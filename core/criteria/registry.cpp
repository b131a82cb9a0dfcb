// The one list of criteria by name.
#include <array>
#include <stdexcept>
#include <utility>

#include "criteria/criterion.hpp"
#include "criteria/entropy.hpp"
#include "criteria/gini.hpp"
#include "criteria/misclassification.hpp"

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
    std::pair<std::string_view, Factory>{"misclassification", make<Misclassification>},
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
