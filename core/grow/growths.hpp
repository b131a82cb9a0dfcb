// Makes the growth of a target, in the one file that compiles it.
#pragma once

#include "grow/divide.hpp"
#include "grow/grow.hpp"

namespace ramify {

template <Target P>
constexpr Growths growths{
    [](const Problem& problem, Interrupt& interrupt) {
        return Grower<P>(problem, interrupt).grow();
    },
    [](const Problem& problem, Interrupt& interrupt) -> std::unique_ptr<Stepwise> {
        auto grower = std::make_unique<Grower<P>>(problem, interrupt);
        grower->start();
        return grower;
    },
};

}  // namespace ramify
