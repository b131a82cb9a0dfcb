// The one list of nominal split searches by name.
#include <array>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "splits/nominal/automatic.hpp"
#include "splits/nominal/exact.hpp"
#include "splits/nominal/flip_flop.hpp"
#include "splits/nominal/greedy_cut.hpp"
#include "splits/nominal/gw_cut.hpp"
#include "splits/nominal/hypercube_cover.hpp"
#include "splits/nominal/largest_class_alone.hpp"
#include "splits/nominal/list_scheduling.hpp"
#include "splits/nominal/pc.hpp"
#include "splits/nominal/pc_ext.hpp"
#include "splits/nominal/shi.hpp"
#include "splits/nominal/sliq_ext.hpp"
#include "splits/nominal/two_class.hpp"
#include "splits/nominal/twoing.hpp"

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
    std::pair<std::string_view, Factory>{"pc_ext", make<PrincipalComponentExtended>},
    std::pair<std::string_view, Factory>{"shi", make<Shi>},
    std::pair<std::string_view, Factory>{"sliq", make<Sliq>},
    std::pair<std::string_view, Factory>{"sliq_ext", make<SliqExtended>},
    std::pair<std::string_view, Factory>{"flip_flop", make<FlipFlop>},
    std::pair<std::string_view, Factory>{"twoing", make<TwoingSearch>},
    std::pair<std::string_view, Factory>{"hypercube_cover", make<HypercubeCover>},
    std::pair<std::string_view, Factory>{"largest_class_alone", make<LargestClassAlone>},
    std::pair<std::string_view, Factory>{"list_scheduling", make<ListScheduling>},
    std::pair<std::string_view, Factory>{"greedy_cut", make<GreedyCut>},
    std::pair<std::string_view, Factory>{"greedy_cut_once", make<GreedyCutOnce>},
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
