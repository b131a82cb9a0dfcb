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

class Interrupt {
  public:
    explicit Interrupt(std::function<void()> check = {})
        : check_(std::move(check)), owner_(std::this_thread::get_id()), last_(Clock::now()) {}

    void poll() {
        if (stopped_.load(std::memory_order_relaxed)) throw Stopped();
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
    using Clock = std::chrono::steady_clock;
    std::function<void()> check_;
    std::thread::id owner_;
    Clock::time_point last_;
    std::atomic<bool> stopped_{false};
};

}  // namespace ramify
