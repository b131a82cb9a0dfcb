#include "grow/growths.hpp"

namespace ramify {

// Nodes of divided rows are grown by code of another file.
extern template class Grower<Classes<WideEntry, true>>;

const Growths long_classes = growths<Classes<LongEntry, false>>;

}  // namespace ramify
