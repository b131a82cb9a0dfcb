#include "splits/nominal/gw_cut.hpp"

#include "splits/maxcut/goemans_williamson.hpp"
#include "splits/nominal/level_cut.hpp"
#include "splits/work_limit.hpp"

namespace ramify {

FoundSplit GoemansWilliamsonCut::split(const Contingency& table, const Criterion& criterion) const {
    RoundingOptions options;
    options.seed = seed;
    options.most_steps = 2 * most_steps;  // sums of products are quick
    return split_by_cut(table, criterion, [&](auto& cut, Balance& balance, std::uint64_t& work) {
        goemans_williamson_cut(cut, balance, options, table.interrupt, work);
        return false;
    });
}

}  // namespace ramify
