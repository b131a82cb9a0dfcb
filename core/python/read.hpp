// Names given from Python as what they mean; an unknown one gives the choices.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

#include "grow/parameters.hpp"
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

inline Growth read_growth(const std::string& growth) {
    return choose<Growth>("growth", growth,
                          {{"depth_first", Growth::depth_first},
                           {"best_first", Growth::best_first},
                           {"best_first_unweighted", Growth::best_first_unweighted}});
}

inline Unseen read_unseen(const std::string& unseen) {
    return choose<Unseen>(
        "unseen", unseen,
        {{"missing", Unseen::missing}, {"majority", Unseen::majority}, {"error", Unseen::missing}});
}

}  // namespace ramify::python
