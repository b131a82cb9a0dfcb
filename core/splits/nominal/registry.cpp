// The one list of nominal split searches by name.
#include <array>
#include <stdexcept>
#include <type_traits>

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
#include "support/choices.hpp"

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

struct Entry {
    std::string_view name;
    NominalSearchInfo info;
    std::unique_ptr<NominalSearch> (*make)(const NominalSearchOptions&);
};

template <typename S>
constexpr Entry entry() {
    return {S::info.name, S::info, make<S>};
}

constexpr std::array registry{
    entry<Automatic>(),
    entry<Exact>(),
    entry<TwoClass>(),
    entry<PrincipalComponent>(),
    entry<PrincipalComponentExtended>(),
    entry<Shi>(),
    entry<Sliq>(),
    entry<SliqExtended>(),
    entry<FlipFlop>(),
    entry<TwoingSearch>(),
    entry<HypercubeCover>(),
    entry<LargestClassAlone>(),
    entry<ListScheduling>(),
    entry<GreedyCut>(),
    entry<GreedyCutOnce>(),
    entry<GoemansWilliamsonCut>(),
};
constexpr const char* no_search = "multiway";  // one branch per level: there is nothing to search

// The criteria that add up pairs of levels.
std::string pair_criteria() {
    std::vector<std::string> names;
    for (const CriterionInfo& criterion : criteria()) {
        if (criterion.adds_up_pairs) names.push_back(criterion.name);
    }
    return listed(names);
}

// The searches that can use them.
std::string pair_searches() {
    std::vector<std::string> names;
    for (const Entry& entry : registry) {
        if (entry.info.takes == Takes::pairs) names.push_back("'" + std::string(entry.name) + "'");
    }
    const std::string last = names.back();
    names.pop_back();
    return listed(names) + " or " + last;
}

const Entry& find(std::string_view name) {
    return find_by_name(registry, "categorical_split", name, no_search);
}

}  // namespace

std::string NominalSearchInfo::criteria() const {
    const std::string all = takes == Takes::pairs ? "all" : "all but " + pair_criteria();
    return *limits == 0 ? all : all + "; " + limits;
}

std::vector<NominalSearchInfo> nominal_searches() {
    std::vector<NominalSearchInfo> all;
    for (const Entry& entry : registry) all.push_back(entry.info);
    return all;
}

std::unique_ptr<NominalSearch> make_nominal_search(std::string_view name,
                                                   const NominalSearchOptions& options) {
    return find(name).make(options);
}

void require_fit(std::string_view name, const Criterion& criterion, std::size_t classes) {
    const NominalSearchInfo& info = find(name).info;
    if (!criterion.sums_suffice() && info.takes != Takes::pairs) {
        throw std::invalid_argument("criterion='" + pair_criteria() +
                                    "' adds up pairs of levels, which this categorical_split does "
                                    "not look at; choose " +
                                    pair_searches());
    }
    if (info.classes != 0 && info.classes != classes) {
        throw std::invalid_argument("categorical_split='" + std::string(name) + "' is for " +
                                    std::to_string(info.classes) + " classes, and there are " +
                                    std::to_string(classes) +
                                    "; choose 'auto', 'exact', 'pc' or 'multiway'");
    }
}

}  // namespace ramify
