#include "edit/kept_rows.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace ramify {
namespace {

constexpr double whole_row = 1.0 - 1e-9;  // parts are rounded

// Sorts rows that are all different by marking them.
std::vector<std::uint32_t> sorted(const std::vector<const std::vector<std::uint32_t>*>& lists,
                                  std::size_t total) {
    std::size_t count = 0;
    for (const auto* list : lists) count += list->size();
    std::vector<std::uint32_t> rows;
    rows.reserve(count);
    if (count < total / 64) {
        for (const auto* list : lists) rows.insert(rows.end(), list->begin(), list->end());
        std::sort(rows.begin(), rows.end());
        return rows;
    }
    std::vector<std::uint64_t> marks(total / 64 + 1, 0);
    for (const auto* list : lists) {
        for (const std::uint32_t row : *list) marks[row / 64] |= std::uint64_t{1} << (row % 64);
    }
    for (std::size_t word = 0; word < marks.size(); ++word) {
        for (std::uint64_t left = marks[word]; left != 0; left &= left - 1) {
            rows.push_back(static_cast<std::uint32_t>(
                word * 64 + static_cast<std::size_t>(std::countr_zero(left))));
        }
    }
    return rows;
}

}  // namespace

SharedRows merged(const std::vector<SharedRows>& leaves, std::size_t total) {
    if (leaves.size() == 1) return leaves.front();
    KeptRows rows;
    std::vector<const std::vector<std::uint32_t>*> whole;
    std::vector<std::pair<std::uint32_t, double>> parts;
    for (const SharedRows& leaf : leaves) {
        whole.push_back(&leaf->whole);
        for (std::size_t i = 0; i < leaf->divided.size(); ++i)
            parts.emplace_back(leaf->divided[i], leaf->part[i]);
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::uint32_t> complete;
    for (std::size_t i = 0; i < parts.size();) {
        double part = 0.0;
        const std::uint32_t row = parts[i].first;
        for (; i < parts.size() && parts[i].first == row; ++i) part += parts[i].second;
        if (part >= whole_row) {
            complete.push_back(row);
        } else {
            rows.divided.push_back(row);
            rows.part.push_back(part);
        }
    }
    whole.push_back(&complete);
    rows.whole = sorted(whole, total);
    return std::make_shared<const KeptRows>(std::move(rows));
}

}  // namespace ramify
