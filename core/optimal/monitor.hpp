// Watches a search: when it must stop, how good the best tree is, and how good any tree can be.
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

// Ends a search early, in every thread. The search that catches it keeps what it has found.
struct Halt : std::runtime_error {
    Halt() : std::runtime_error("the search was stopped") {}
};

class Monitor {
  public:
    using Clock = std::chrono::steady_clock;
    // `interrupted` is called at most every 20 ms, `progress` at most every 100 ms and once more at
    // the end of each run. Both are called in the thread that made the monitor.
    struct Hooks {
        std::function<bool()> interrupted;
        std::function<void(const Moment&)> progress;
    };

    Monitor(double seconds, Hooks hooks);

    // Every thread must call it at least every few milliseconds. Throws Halt.
    void poll();

    // Watches another run of the search, with as many seconds from now on. After Ctrl-C it is
    // stopped at once.
    void allot(double seconds);
    void forget();  // objective, bound and history: what follows is another problem

    // From now on poll() no longer throws, so that the tree can be written.
    void end_search() { searching_.store(false); }

    void stop() { stopped_.store(true); }  // stops every thread at its next poll()

    void improve(double objective);  // a tree has been found
    void bound(double lower_bound);  // no tree is better than this
    // The bounds that follow hold for trees that cost less than this: none is larger.
    void believe(double most);

    double seconds() const;
    bool interrupted() const { return interrupted_.load(); }
    bool stopped() const { return stopped_.load(); }  // the last run, before it was through
    double objective() const;
    double lower_bound() const;
    void tell();                   // reports the last state
    std::vector<Moment> finish();  // the same, and gives the history

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
    double believed_ = std::numeric_limits<double>::infinity();
    double lower_bound_ = 0.0;
    std::vector<Moment> history_;
};

}  // namespace ramify::optimal
