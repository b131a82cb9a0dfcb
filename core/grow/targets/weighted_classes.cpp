#include "grow/growths.hpp"

namespace ramify {

template class Grower<Classes<WideEntry, true>>;

const Growths weighted_classes = growths<Classes<WideEntry, true>>;

}  // namespace ramify
