#include "grow/growths.hpp"

namespace ramify {

template class Grower<Numbers<WideEntry, true>>;

const Growths weighted_numbers = growths<Numbers<WideEntry, true>>;

}  // namespace ramify
