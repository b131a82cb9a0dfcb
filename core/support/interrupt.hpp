// Interruption of long work. The core does not know what may interrupt it: the caller supplies
// `check`, which throws. Invariant: `check` is only ever called from the thread that made the
// Interrupt, at most every 20 ms.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>

namespace ramify {

// Thrown in worker threads once the owning thread has been interrupted; never reaches the caller.
struct Stopped : std::runtime_error {
    Stopped() : std::runtime_error("stopped") {}
};

// Thrown in any thread once the time limit has passed; whoever set the limit catches it.
struct TimeUp : std::runtime_error {
    TimeUp() : std::runtime_error("time is up") {}
};

class Interrupt {
  public:
    using Clock = std::chrono::steady_clock;

    explicit Interrupt(std::function<void()> check = {})
        : check_(std::move(check)), owner_(std::this_thread::get_id()), last_(Clock::now()) {}

    void set_deadline(Clock::time_point deadline) { deadline_ = deadline; }

    void poll() {
        if (stopped_.load(std::memory_order_relaxed)) throw Stopped();
        if (deadline_ != Clock::time_point::max() && Clock::now() > deadline_) throw TimeUp();
        if (!check_ || std::this_thread::get_id() != owner_) return;
        const auto now = Clock::now();
        if (now - last_ < std::chrono::milliseconds(20)) return;
        last_ = now;
        try {
            check_();
        } catch (...) {
            stopped_.store(true);
            throw;
        }
    }

  private:
    std::function<void()> check_;
    std::thread::id owner_;
    Clock::time_point last_;
    Clock::time_point deadline_ = Clock::time_point::max();
    std::atomic<bool> stopped_{false};
};

}  // namespace ramify
