// Watches a search: when it has to stop, how good the best tree is, how good any tree can be.
// Invariant: the objective of the history never rises, its bound never falls, and the bound never
// exceeds the objective.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "optimal/problem.hpp"

namespace ramify::optimal {

// Ends a search early, in every thread; the search that catches it keeps what it has.
struct Halt : std::runtime_error {
    Halt() : std::runtime_error("the search was stopped") {}
};

class Monitor {
  public:
    using Clock = std::chrono::steady_clock;
    // `interrupted` is asked at most every 20 ms, `progress` told at most every 100 ms and once
    // more at the end; both in the thread that made the monitor.
    struct Hooks {
        std::function<bool()> interrupted;
        std::function<void(const Moment&)> progress;
    };

    Monitor(double seconds, Hooks hooks);

    // To be called every few milliseconds at least, by every thread. Throws Halt.
    void poll();

    // What follows (writing the tree out) is to be finished: poll() no longer throws.
    void end_search() { searching_.store(false); }

    void stop() { stopped_.store(true); }  // every thread, at its next poll()

    void improve(double objective);  // a tree has been found
    void bound(double lower_bound);  // no tree is better than this

    double seconds() const;
    bool interrupted() const { return interrupted_.load(); }
    double objective() const;
    double lower_bound() const;
    std::vector<Moment> finish();  // the history; tells the last state

  private:
    void call_hooks(Clock::time_point now);
    void note();

    Hooks hooks_;
    Clock::time_point start_;
    Clock::time_point deadline_;
    Clock::time_point asked_;
    Clock::time_point told_;
    std::thread::id owner_;
    std::atomic<bool> searching_{true};
    std::atomic<bool> stopped_{false};
    std::atomic<bool> interrupted_{false};
    mutable std::mutex mutex_;
    double objective_ = std::numeric_limits<double>::infinity();
    double lower_bound_ = 0.0;
    std::vector<Moment> history_;
};

}  // namespace ramify::optimal
