// A struct with named fields, read from a dict. Fields that are not given keep their defaults.
// Invariant: an unknown key, a value of the wrong type or an unknown choice is an error that names
// the key and what is valid.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/choices.hpp"
#include "support/fields.hpp"

namespace ramify::python {

template <HasFields T>
T read_fields(const std::string& what, const nanobind::dict& given);

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename T>
constexpr const char* type_name() {
    if constexpr (std::same_as<T, bool>) return "True or False";
    if constexpr (Choice<T>) return "a string";
    if constexpr (HasFields<T>) return "a dict";
    if constexpr (std::same_as<T, std::vector<std::int32_t>>) return "a list of whole numbers";
    if constexpr (std::unsigned_integral<T>) return "a whole number of at least 0";
    if constexpr (std::integral<T>) return "a whole number";
    return "a number";
}

template <typename T>
void read_field(const char* name, nanobind::handle given, T& to) {
    if constexpr (IsOptional<T>::value) {
        to.reset();
        if (!given.is_none()) read_field(name, given, to.emplace());
    } else {
        using Given = std::conditional_t<Choice<T>, std::string,
                                         std::conditional_t<HasFields<T>, nanobind::dict, T>>;
        Given value;
        const bool number = std::is_arithmetic_v<T> && !std::same_as<T, bool>;
        if ((number && PyBool_Check(given.ptr())) || !nanobind::try_cast(given, value)) {
            throw std::invalid_argument(std::string(name) + "=" + nanobind::repr(given).c_str() +
                                        " must be " + type_name<T>());
        }
        if constexpr (Choice<T>) {
            to = choose<T>(name, value);
        } else if constexpr (HasFields<T>) {
            to = read_fields<T>(name, value);
        } else {
            to = value;
        }
    }
}

// `what` names the struct in the error of an unknown key.
template <HasFields T>
T read_fields(const std::string& what, const nanobind::dict& given) {
    T result;
    // Every fit reads some thirty fields, so no string is made to look one up. Few keys are of the
    // same length.
    std::vector<std::pair<std::string_view, nanobind::handle>> entries;
    entries.reserve(given.size());
    for (const auto& [key, value] : given) {
        Py_ssize_t size = 0;
        const char* text =
            PyUnicode_Check(key.ptr()) ? PyUnicode_AsUTF8AndSize(key.ptr(), &size) : nullptr;
        if (text == nullptr) {
            PyErr_Clear();
            continue;
        }
        entries.emplace_back(std::string_view(text, static_cast<std::size_t>(size)), value);
    }
    std::size_t read = 0;
    T::fields(result, [&](const char* name, auto& field) {
        const std::string_view wanted = name;
        for (const auto& [key, value] : entries) {
            if (key != wanted) continue;
            read_field(name, value, field);
            ++read;
            return;
        }
    });
    if (read == given.size()) return result;
    const auto names = field_names<T>();
    for (const auto& [key, value] : given) {
        std::string name;
        if (!nanobind::try_cast(key, name) ||
            std::find(names.begin(), names.end(), name) == names.end()) {
            throw std::invalid_argument(what + " has no " + nanobind::repr(key).c_str() +
                                        "; choose from " + listed(names));
        }
    }
    return result;
}

}  // namespace ramify::python
