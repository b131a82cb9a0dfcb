// Structs that tell their fields by name: `T::fields(self, visit)` calls visit(name, field) for
// each. Invariant: `fields` stands in the struct itself, so that a new field is written in one
// place.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/choices.hpp"

namespace ramify {

struct IgnoreField {
    template <typename Field>
    void operator()(const char*, Field&) const {}
};

template <typename T>
concept HasFields = requires(T& self) { T::fields(self, IgnoreField{}); };

template <HasFields T>
std::vector<std::string> field_names() {
    T self;
    std::vector<std::string> names;
    T::fields(self, [&](const char* name, auto&) { names.emplace_back(name); });
    return names;
}

// The names that a field accepts. Empty if T has no such field, or if the field does not take a
// name.
template <HasFields T>
std::vector<std::string> choices_of_field(std::string_view wanted) {
    T self;
    std::vector<std::string> names;
    T::fields(self, [&]<typename Field>(const char* name, Field&) {
        if constexpr (Choice<Field>) {
            if (name == wanted) names.assign(names_of<Field>.begin(), names_of<Field>.end());
        }
    });
    return names;
}

}  // namespace ramify
