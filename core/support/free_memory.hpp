// Gives memory that was freed back to the system. Allocators keep it, in pieces, so that what is
// resident would grow from scan to scan. Invariant: nothing that is in use is touched.
#pragma once

#include <cstdlib>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace ramify {

inline void give_back_free_memory() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace ramify
