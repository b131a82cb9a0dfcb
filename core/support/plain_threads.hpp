// A team of threads that lives for one loop. It needs nothing that a fork would leave behind.
// Invariant: the caller is thread 0 of its team; a loop within a loop has a team of one.
#pragma once

#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace ramify {

// The number of the thread in its plain team, or -1 outside of one.
inline int& plain_thread_index() {
    thread_local int index = -1;
    return index;
}

// Calls the function, which must not throw, once for every index.
template <typename Function>
void for_each_index_plainly(std::size_t count, int threads, Function&& function) {
    std::atomic<std::size_t> next{0};
    const auto work = [&](int thread) {
        int& index = plain_thread_index();
        const int before = index;
        index = thread;
        for (std::size_t at = next.fetch_add(1); at < count; at = next.fetch_add(1)) function(at);
        index = before;
    };
    if (plain_thread_index() >= 0) threads = 1;
    std::vector<std::thread> others;
    others.reserve(static_cast<std::size_t>(threads));
    try {
        for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    } catch (const std::system_error&) {  // the system gives no more threads: fewer will do
    }
    work(0);
    for (std::thread& other : others) other.join();
}

}  // namespace ramify
