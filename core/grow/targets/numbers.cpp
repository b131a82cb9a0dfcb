#include "grow/growths.hpp"

namespace ramify {

// Nodes of divided rows are grown by code of another file.
extern template class Grower<Numbers<WideEntry, true>>;

const Growths numbers = growths<Numbers<RowEntry, false>>;

}  // namespace ramify
