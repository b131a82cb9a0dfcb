#include "support/forked.hpp"

#ifndef _WIN32
#include <pthread.h>
#endif

#include <atomic>

namespace ramify {

namespace {

// The only global variable of the core: a fork concerns the whole process.
std::atomic<bool> forked{false};

#ifndef _WIN32
void note_fork() {
    forked.store(true, std::memory_order_relaxed);
}

[[maybe_unused]] const int watching = pthread_atfork(nullptr, nullptr, note_fork);
#endif

}  // namespace

bool in_forked_child() {
    return forked.load(std::memory_order_relaxed);
}

}  // namespace ramify
