// Names given from Python as what they mean; an unknown one gives the choices.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

#include "tree/tree.hpp"

namespace ramify::python {

template <typename T>
T choose(const char* parameter, const std::string& given,
         std::initializer_list<std::pair<const char*, T>> choices) {
    std::string names;
    for (const auto& [name, value] : choices) {
        if (given == name) return value;
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    throw std::invalid_argument(std::string(parameter) + " '" + given + "' is not one of " + names);
}

inline Unseen read_unseen(const std::string& unseen) {
    return choose<Unseen>(
        "unseen", unseen,
        {{"missing", Unseen::missing}, {"majority", Unseen::majority}, {"error", Unseen::missing}});
}

}  // namespace ramify::python
