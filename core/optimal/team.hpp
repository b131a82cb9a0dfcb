// The threads of one search. Invariant: run_team() returns when all are done, and an exception of
// any thread reaches the caller. Halt reaches it only if there is no other, because it may be a
// mere consequence.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "optimal/monitor.hpp"

namespace ramify::optimal {

// Calls work(0) in this thread, and work(1) ... work(threads - 1) each in a new thread. While it
// waits for them, this thread keeps answering the user.
template <typename Work>
void run_team(int threads, Monitor& monitor, Work&& work) {
    std::mutex mutex;
    std::condition_variable changed;
    int running = 1;
    bool halted = false;
    std::exception_ptr failure;
    const auto guarded = [&](auto&& action) {
        try {
            action();
        } catch (const Halt&) {
            const std::lock_guard<std::mutex> lock(mutex);
            halted = true;
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex);
            if (!failure) failure = std::current_exception();
            monitor.stop();
        }
    };
    const auto member = [&](int thread) {
        guarded([&] { work(thread); });
        const std::lock_guard<std::mutex> lock(mutex);
        --running;
        changed.notify_all();
    };
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads; ++thread) {
        {
            const std::lock_guard<std::mutex> lock(mutex);
            ++running;
        }
        try {
            others.emplace_back(member, thread);
        } catch (const std::system_error&) {  // the system gives no more threads: fewer will do
            const std::lock_guard<std::mutex> lock(mutex);
            --running;
            break;
        }
    }
    member(0);
    std::unique_lock<std::mutex> lock(mutex);
    while (running > 0) {
        changed.wait_for(lock, std::chrono::milliseconds(20));
        lock.unlock();
        guarded([&] { monitor.poll(); });
        lock.lock();
    }
    lock.unlock();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
    if (halted) throw Halt();
}

}  // namespace ramify::optimal
