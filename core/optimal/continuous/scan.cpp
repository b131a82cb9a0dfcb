#include "optimal/continuous/scan.hpp"

namespace ramify::optimal::continuous {

template <class T>
Found scan(const Data& data, const Subset<T>& subset, std::size_t slot, const Side<T>& side) {
    Found best;
    const T* order = subset.order(slot);
    const std::uint8_t* last = subset.last(slot);
    const std::size_t width = data.width;
    std::vector<double> all(width, 0.0), sums(width, 0.0), rest(width);
    std::int64_t count = 0, total = 0;
    const auto add = [&](std::size_t local, std::vector<double>& to) {
        data.add(static_cast<std::size_t>(subset.row[local]), to.data());
    };
    for (std::size_t local = 0; local < subset.size; ++local) {
        if (!side(local)) continue;
        ++total;
        add(local, all);
    }
    std::size_t position = 0;
    for (std::size_t i = 0; i < subset.size; ++i) {
        const auto local = static_cast<std::size_t>(order[i]);
        if (side(local)) {
            ++count;
            position = i;
            add(local, sums);
        }
        if (!last[i] || count < data.min_leaf || total - count < data.min_leaf) continue;
        for (std::size_t p = 0; p < width; ++p) rest[p] = all[p] - sums[p];
        const double loss = data.loss(sums.data()) + data.loss(rest.data());
        if (loss < best.loss) best = {loss, code_of(data, subset, slot, position)};
    }
    return best;
}

template <class T>
Outcome depth_one(const Data& data, const Subset<T>& subset) {
    Outcome outcome;
    outcome.lower = subset.leaf + data.sparsity;
    outcome.exact = true;
    outcome.tree = {Node{}};
    for (std::size_t slot = 0; slot < subset.slots(); ++slot) {
        const Found found = scan(data, subset, slot, Side<T>{});
        const double value = found.loss + 2 * data.sparsity;
        if (!(value < outcome.lower - data.tolerance)) continue;
        outcome.lower = value;
        const auto column = data.column[static_cast<std::size_t>(subset.columns[slot])];
        outcome.tree = {Node{column, found.code, 1, 2}, Node{}, Node{}};
    }
    return outcome;
}

template Found scan(const Data&, const Subset<std::int16_t>&, std::size_t,
                    const Side<std::int16_t>&);
template Found scan(const Data&, const Subset<std::int32_t>&, std::size_t,
                    const Side<std::int32_t>&);
template Outcome depth_one(const Data&, const Subset<std::int16_t>&);
template Outcome depth_one(const Data&, const Subset<std::int32_t>&);

}  // namespace ramify::optimal::continuous
