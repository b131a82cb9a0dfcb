// Threads, in one place: the only file that knows whether OpenMP is there. Invariant:
// `for_each_index` calls the function once for every index, whatever the number of threads, and an
// exception thrown in any thread reaches the caller. This holds in a forked child as well, where
// OpenMP would wait for ever for the threads of the parent.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

#include "support/forked.hpp"
#include "support/interrupt.hpp"
#include "support/plain_threads.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace ramify {

inline int thread_index() {
    if (const int index = plain_thread_index(); index >= 0) return index;
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

inline int available_threads() {
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

// How many threads to start when the caller asks for `asked`: at least one, and at most 64 or the
// number of processors.
inline int usable_threads(int asked) {
    return std::clamp(asked, 1, std::max(64, available_threads()));
}

// Between two loops the threads of OpenMP wait awake, which takes a processor from others. Where
// loops are few and long, threads that are made for each loop sleep instead.
enum class Team { lasting, passing };

// Threads take one index at a time, in order, so that uneven work balances.
template <typename Function>
void for_each_index(std::size_t count, int threads, Function&& function,
                    Team team = Team::lasting) {
    if (threads <= 1 || count <= 1) {
        for (std::size_t index = 0; index < count; ++index) function(index);
        return;
    }
    std::exception_ptr failure;
    std::mutex failure_mutex;
    std::atomic<bool> failed{false};
    const auto guarded = [&](std::size_t index) {
        if (failed.load(std::memory_order_relaxed)) return;
        try {
            function(index);
        } catch (const Stopped&) {
            failed.store(true);  // the thread that was interrupted reports the reason
        } catch (...) {
            const std::lock_guard<std::mutex> lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            failed.store(true);
        }
    };
    if (team == Team::passing || in_forked_child()) {
        for_each_index_plainly(count, threads, guarded);
    } else {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (std::size_t index = 0; index < count; ++index) guarded(index);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ramify
