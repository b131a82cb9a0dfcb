#include "splits/nominal/gray_code.hpp"

#include <bit>

namespace ramify {
namespace {

// Step s changes the level of its lowest set bit.
std::size_t level_of(std::uint64_t step) {
    return static_cast<std::size_t>(std::countr_zero(step)) + 1;
}

void poll(const Contingency& table, std::uint64_t step) {
    if (step % 4096 == 0 && table.interrupt != nullptr) table.interrupt->poll();
}

}  // namespace

bool enumerate(const Contingency& table, Side& side, BestPartition& best) {
    side.all_right();
    side.assign(std::vector<std::uint8_t>(table.levels, 0));
    const bool countable = table.levels <= 63;
    const std::uint64_t steps =
        countable ? std::uint64_t{1} << (table.levels - 1) : ~std::uint64_t{0};
    for (std::uint64_t step = 1; step < steps; ++step) {
        if (best.left() == 0) return false;
        poll(table, step);
        side.flip(level_of(step));
        if (side.offer(best)) best.keep(side.right());
    }
    return true;
}

}  // namespace ramify
