// The one list of nominal split searches by name.
#include <array>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "splits/maxcut/greedy_cut.hpp"
#include "splits/maxcut/gw_cut.hpp"
#include "splits/nominal/automatic.hpp"

namespace ramify {
namespace {

template <typename S>
std::unique_ptr<NominalSearch> make(const NominalSearchOptions& options) {
    if constexpr (std::is_constructible_v<S, const NominalSearchOptions&>) {
        return std::make_unique<S>(options);
    } else {
        return std::make_unique<S>();
    }
}

using Factory = std::unique_ptr<NominalSearch> (*)(const NominalSearchOptions&);
constexpr std::array registry{
    std::pair<std::string_view, Factory>{"auto", make<Automatic>},
    std::pair<std::string_view, Factory>{"exact", make<Exact>},
    std::pair<std::string_view, Factory>{"two_class", make<TwoClass>},
    std::pair<std::string_view, Factory>{"pc", make<PrincipalComponent>},
    std::pair<std::string_view, Factory>{"greedy_cut", make<GreedyCut>},
    std::pair<std::string_view, Factory>{"gw_cut", make<GoemansWilliamsonCut>},
};

}  // namespace

std::vector<std::string> nominal_search_names() {
    std::vector<std::string> names;
    for (const auto& entry : registry) names.emplace_back(entry.first);
    return names;
}

std::unique_ptr<NominalSearch> make_nominal_search(std::string_view name,
                                                   const NominalSearchOptions& options) {
    for (const auto& entry : registry) {
        if (entry.first == name) return entry.second(options);
    }
    std::string choices;
    for (const auto& entry : registry) choices += std::string(entry.first) + ", ";
    throw std::invalid_argument("unknown categorical_split '" + std::string(name) +
                                "'; choose from " + choices + "multiway");
}

}  // namespace ramify
