// The one list of ways to give retirement keys.
#include <array>

#include "prune/best_first.hpp"
#include "prune/cost_complexity.hpp"
#include "prune/critical_value.hpp"
#include "support/choices.hpp"

namespace ramify {
namespace {

struct Entry {
    std::string_view name;
    RetirementInfo info;
    std::unique_ptr<Retirement> (*make)(const RetirementOptions&);
};

template <typename Make>
constexpr Entry entry(const RetirementInfo& info, Make make) {
    return {info.name, info, make};
}

std::unique_ptr<Retirement> best_first(const RetirementOptions& options) {
    return std::make_unique<BestFirst>(options.weigh_gains);
}

template <bool impurity>
std::unique_ptr<Retirement> cost_complexity(const RetirementOptions& options) {
    return std::make_unique<CostComplexity>(impurity, options.costs);
}

std::unique_ptr<Retirement> critical_value(const RetirementOptions&) {
    return std::make_unique<CriticalValue>();
}

constexpr std::array registry{
    entry(CostComplexity::by_error, cost_complexity<false>),
    entry(CostComplexity::by_impurity, cost_complexity<true>),
    entry(BestFirst::by_error, best_first),
    entry(BestFirst::by_rmse, best_first),
    entry(CriticalValue::info, critical_value),
};

}  // namespace

std::vector<RetirementInfo> retirements() {
    std::vector<RetirementInfo> all;
    for (const Entry& entry : registry) all.push_back(entry.info);
    return all;
}

RetirementInfo find_retirement(std::string_view name) {
    return find_by_name(registry, "keys", name).info;
}

std::unique_ptr<Retirement> make_retirement(std::string_view name,
                                            const RetirementOptions& options) {
    return find_by_name(registry, "keys", name).make(options);
}

}  // namespace ramify
