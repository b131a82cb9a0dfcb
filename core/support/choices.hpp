// Enums by name. A specialization of `names_of` beside an enum lists the names of its values.
// Invariant: the values of such an enum count from 0, in the order of the names.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ramify {

template <typename... Name>
constexpr auto list_names(Name... name) {
    return std::array<std::string_view, sizeof...(Name)>{name...};
}

// The names of an enum's values; empty if it has none.
template <typename E>
inline constexpr auto names_of = list_names();

template <typename E>
concept Choice = std::is_enum_v<E> && !names_of<E>.empty();

template <Choice E>
constexpr std::string_view name_of(E value) {
    return names_of<E>[static_cast<std::size_t>(value)];
}

// "a, b, c"
template <typename Names>
std::string listed(const Names& names) {
    std::string list;
    for (const auto& name : names) {
        if (!list.empty()) list += ", ";
        list += name;
    }
    return list;
}

template <typename Entries>
std::vector<std::string> names_in(const Entries& entries) {
    std::vector<std::string> names;
    for (const auto& entry : entries) names.emplace_back(entry.name);
    return names;
}

// Finds the entry of that name in a registry. The error for an unknown name lists the valid ones,
// and `also`, a valid name that is no entry.
template <typename Entries>
const auto& find_by_name(const Entries& entries, std::string_view what, std::string_view name,
                         std::string_view also = "") {
    for (const auto& entry : entries) {
        if (entry.name == name) return entry;
    }
    auto names = names_in(entries);
    if (!also.empty()) names.emplace_back(also);
    throw std::invalid_argument("unknown " + std::string(what) + " '" + std::string(name) +
                                "'; choose from " + listed(names));
}

// Gives the value of that name. The error for an unknown name lists the valid ones.
template <Choice E>
E choose(std::string_view parameter, std::string_view given) {
    constexpr auto names = names_of<E>;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == given) return static_cast<E>(i);
    }
    throw std::invalid_argument(std::string(parameter) + " '" + std::string(given) +
                                "' is not one of " + listed(names));
}

}  // namespace ramify
