#include "optimal/monitor.hpp"

#include <algorithm>
#include <utility>

namespace ramify::optimal {
namespace {

using Seconds = std::chrono::duration<double>;

Monitor::Clock::time_point after(Monitor::Clock::time_point start, double seconds) {
    constexpr double forever = 1e9;  // seconds; more would not fit the clock
    if (!(seconds < forever)) return Monitor::Clock::time_point::max();
    return start + std::chrono::duration_cast<Monitor::Clock::duration>(Seconds(seconds));
}

}  // namespace

Monitor::Monitor(double seconds, Hooks hooks)
    : hooks_(std::move(hooks)),
      start_(Clock::now()),
      deadline_(after(start_, seconds)),
      asked_(start_),
      told_(start_),
      owner_(std::this_thread::get_id()) {}

void Monitor::allot(double seconds) {
    deadline_ = after(Clock::now(), seconds);
    stopped_.store(interrupted_.load());
    searching_.store(true);
}

void Monitor::forget() {
    const std::lock_guard<std::mutex> lock(mutex_);
    objective_ = believed_ = std::numeric_limits<double>::infinity();
    lower_bound_ = 0.0;
    history_.clear();
}

void Monitor::poll() {
    if (!searching_.load(std::memory_order_relaxed)) return;
    if (stopped_.load(std::memory_order_relaxed)) throw Halt();
    const auto now = Clock::now();
    if (now > deadline_) {
        stopped_.store(true);
        throw Halt();
    }
    if (std::this_thread::get_id() != owner_) return;
    try {
        call_hooks(now);
    } catch (...) {
        stopped_.store(true);  // stops the other threads
        throw;
    }
}

void Monitor::call_hooks(Clock::time_point now) {
    if (hooks_.interrupted && now - asked_ > std::chrono::milliseconds(20)) {
        asked_ = now;
        if (hooks_.interrupted()) {
            interrupted_.store(true);
            throw Halt();
        }
    }
    if (hooks_.progress && now - told_ > std::chrono::milliseconds(100)) {
        told_ = now;
        const double objective = this->objective();
        if (objective < std::numeric_limits<double>::infinity()) {
            hooks_.progress({seconds(), objective, lower_bound()});
        }
    }
}

void Monitor::improve(double objective) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (objective >= objective_) return;
    objective_ = std::max(objective, lower_bound_);  // sums of weights may differ in the last digit
    note();
}

void Monitor::bound(double lower_bound) {
    const std::lock_guard<std::mutex> lock(mutex_);
    lower_bound = std::min({lower_bound, objective_, believed_});
    if (lower_bound <= lower_bound_) return;
    lower_bound_ = lower_bound;
    note();
}

void Monitor::believe(double most) {
    const std::lock_guard<std::mutex> lock(mutex_);
    believed_ = most;
}

void Monitor::note() {
    if (objective_ < std::numeric_limits<double>::infinity()) {
        history_.push_back({seconds(), objective_, lower_bound_});
    }
}

double Monitor::seconds() const {
    return Seconds(Clock::now() - start_).count();
}

double Monitor::objective() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return objective_;
}

double Monitor::lower_bound() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lower_bound_;
}

void Monitor::tell() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (hooks_.progress && !history_.empty()) hooks_.progress(history_.back());
}

std::vector<Moment> Monitor::finish() {
    tell();
    const std::lock_guard<std::mutex> lock(mutex_);
    return history_;
}

}  // namespace ramify::optimal
