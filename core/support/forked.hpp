// Whether this process is a forked child of the one that loaded the library.
// Invariant: once true it stays true, in the children of the child too.
#pragma once

namespace ramify {

bool in_forked_child();

}  // namespace ramify
