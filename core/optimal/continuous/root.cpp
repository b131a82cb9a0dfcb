#include "optimal/continuous/root.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <system_error>
#include <thread>

#include "optimal/continuous/discrepancy.hpp"

namespace ramify::optimal::continuous {
namespace {

int depth_of(const NodeList& tree, std::size_t at = 0) {
    if (tree[at].column < 0) return 0;
    return 1 + std::max(depth_of(tree, static_cast<std::size_t>(tree[at].left)),
                        depth_of(tree, static_cast<std::size_t>(tree[at].right)));
}

}  // namespace

template <class T>
Root<T>::Root(const Data& data, const Limits& limits, const Switches& switches, Monitor& monitor)
    : data_(data),
      switches_(switches),
      monitor_(monitor),
      threads_(std::max(1, limits.threads)),
      memory_(limits.memory),
      cache_(limits.memory / 8 * 6, switches.cache),
      of_guesses_(limits.memory / 8, switches.cache),
      no_cache_(0, false),
      // Counts below a fraction are below the next whole number too.
      upper_bound_(data.counting && data.sparsity == 0.0 ? std::ceil(limits.upper_bound)
                                                         : limits.upper_bound) {
    subset_.all(data);
}

// Leaves out the trees that have too many leaves to be below the limit.
template <class T>
void Root<T>::narrow() {
    const std::int64_t most = leaves_below(limit(), subset_.unavoidable, data_.sparsity);
    if (most < any_leaves) {
        const double more = least_beyond(most, subset_.unavoidable, data_.sparsity);
        monitor_.believe(std::min(beyond_, more));
    }
    extent_ = extent_.within(most);
}

template <class T>
void Root<T>::take(const NodeList& tree, double value) {
    value_ = value;
    result_.nodes = tree;
    monitor_.improve(value);
}

template <class T>
double Root<T>::budget() const {
    return std::min(value_, upper_bound_);
}

template <class T>
double Root<T>::limit() const {
    return budget() - data_.tolerance;
}

template <class T>
Result Root<T>::run(const Run& run) {
    extent_ = data_.worthwhile(run.extent, subset_.leaf, subset_.size);
    beyond_ = run.beyond;
    monitor_.believe(beyond_);
    result_ = {};
    value_ = kInfinity;
    discrepancies_ = 0;
    rounds_ = 0;
    over_ = false;
    failure_ = nullptr;
    told_ = 0.0;
    Search<T> search(data_, switches_, of_guesses_, monitor_);
    refine_.emplace(data_, search);
    take({Node{}}, subset_.leaf + data_.sparsity);
    try {
        least_ = subset_.unavoidable + 2 * data_.sparsity;
        monitor_.bound(std::min(value_, least_));
        first_trees(search, run.start);
        narrow();
        if (extent_.depth > 2) {
            if (least_ < limit()) complete(search);
        } else if (extent_.depth > 0) {
            const Outcome outcome =
                search.solve(subset_, extent_.depth, extent_.leaves, budget(), Hint{});
            if (outcome.exact && outcome.lower < limit()) {
                take(outcome.tree, outcome.lower);
            }
        }
        result_.proven = value_ <= upper_bound_;
        result_.none_below = value_ >= upper_bound_;
        monitor_.bound(budget());
    } catch (const Halt&) {
    }
    add(search.statistics);
    cache_.count(result_.statistics);
    return std::move(result_);
}

template <class T>
void Root<T>::first_trees(Search<T>& search, const NodeList& start) {
    if (!start.empty() && depth_of(start) <= extent_.depth && leaves_of(start) <= extent_.leaves) {
        const double cost = cost_of(data_, subset_, start);
        if (cost < value_) take(start, cost);
    }
    if (extent_.depth <= 2) return;
    guess(search, Impurity::gini, 0, false);
    guess(search, Impurity::entropy, 0, false);
    if (!switches_.discrepancy) return;
    // Goes on as long as a pass takes less time than examining one threshold of the root. Both are
    // estimated in nodes of depth two: a pass has one for every way to spend the discrepancies, and
    // examining has a number of them per level above.
    double thresholds = 0.0, examined = 1.0;
    for (const auto& values : data_.values) thresholds += static_cast<double>(values.size());
    const int depth = usual_depth();
    for (int level = 3; level < depth; ++level) {
        examined *= std::clamp(thresholds / 8, 1.0, 150.0);
    }
    for (;; discrepancies_ = discrepancies_ == 0   ? 1
                             : discrepancies_ == 1 ? 3
                                                   : 2 * discrepancies_) {
        const double ways = ways_to_spend(discrepancies_, depth);
        const bool first = discrepancies_ <= 1;
        if ((!first && ways > examined) || discrepancies_ > most_discrepancies()) break;
        guess(search, Impurity::entropy, discrepancies_, true);
        refine(discrepancies_);
    }
}

// Where a price or a number of leaves limits the depth, few trees are that deep.
template <class T>
int Root<T>::usual_depth() const {
    const std::int64_t most = std::min(extent_.leaves, leaves_below(value_, 0.0, data_.sparsity));
    const int balanced =
        std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(1, most - 1)));
    return std::max(3, std::min(extent_.depth, balanced + (most < full_leaves(extent_.depth))));
}

template <class T>
int Root<T>::most_discrepancies() const {
    return 2 * static_cast<int>(data_.codes.size()) * (extent_.depth - 2);
}

template <class T>
void Root<T>::guess(Search<T>& search, Impurity impurity, int discrepancies, bool look_ahead) {
    if (least_ >= limit()) return;
    const Guess guess = Discrepancy<T>(data_, search, impurity, look_ahead)
                            .guess(subset_, extent_.depth, extent_.leaves, discrepancies, budget());
    if (guess.value < limit()) take(guess.tree, guess.value);
}

// Improves branches of the best tree, with about as much work as a pass.
template <class T>
void Root<T>::refine(int discrepancies) {
    if (extent_.depth <= 3 || least_ >= limit() || result_.nodes.size() == 1) return;
    constexpr double least_work = 100.0;
    const double branches = std::exp2(usual_depth() - 3);
    const double work = ways_to_spend(discrepancies, usual_depth()) / branches;
    const auto offer = [&](const NodeList& tree) {
        const double cost = cost_of(data_, subset_, tree);
        if (cost < limit()) take(tree, cost);
    };
    try {
        offer((*refine_)(subset_, NodeList(result_.nodes), extent_, std::max(least_work, work)));
    } catch (const Halt&) {
        offer(refine_->partial());
        throw;
    }
}

template <class T>
void Root<T>::complete(Search<T>& guesses) {
    // If branches are solved through the cache, their bounds depend on the threads.
    Thresholds<T> thresholds(data_, subset_, extent_.depth, extent_.leaves, limit(), Hint{},
                             cached());
    std::vector<std::thread> helpers;
    try {
        for (int i = 1; i < threads_; ++i) helpers.emplace_back([&] { help(thresholds); });
    } catch (const std::system_error&) {  // the system gives no more threads: fewer will do
    }
    Search<T> own = searcher();
    // Between rounds comes a pass with more discrepancies, less and less often.
    std::int64_t next_guess = 1;  // the round
    try {
        do {
            round(own, thresholds);
            const bool again = switches_.discrepancy && (cached() || discrepancies_ <= 3) &&
                               discrepancies_ <= most_discrepancies();
            if (!again || rounds_ < next_guess) continue;
            guess(guesses, Impurity::entropy, discrepancies_, true);
            refine(discrepancies_);
            thresholds.at_most(limit());
            next_guess *= 16;
            discrepancies_ *= 2;
        } while (!jobs_.empty() && least_ < limit());
    } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        failure_ = std::current_exception();
    }
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    for (std::thread& helper : helpers) helper.join();
    add(own.statistics);
    if (failure_) std::rethrow_exception(failure_);
    if (thresholds.value() > value_) return;  // a first tree was better, or none was found
    // The contents of the cache depend on the threads, so the branches are solved again with a
    // fresh one.
    Cache fresh(memory_ / 8, switches_.cache);
    Search<T> alone(data_, switches_, fresh, monitor_);
    try {
        result_.nodes = thresholds.tree_anew(alone);
    } catch (const Halt&) {  // an equally good tree is there already
    }
}

template <class T>
bool Root<T>::cached() const {
    return extent_.depth > 3 || !switches_.depth_two;
}

template <class T>
Search<T> Root<T>::searcher() {
    return Search<T>(data_, switches_, cached() ? cache_ : no_cache_, monitor_);
}

template <class T>
void Root<T>::round(Search<T>& search, Thresholds<T>& thresholds) {
    // More jobs keep more threads busy but know less of each other, which matters most at the
    // beginning.
    constexpr int beginning = 12;
    const std::size_t size = rounds_++ < beginning ? 1 : extent_.depth > 3 ? 4 : 2;
    std::unique_lock<std::mutex> lock(mutex_);
    jobs_.clear();
    next_ = finished_ = 0;
    while (jobs_.size() < size) {
        auto job = thresholds.next();
        if (!job) break;
        jobs_.push_back(*job);
    }
    changed_.notify_all();
    examine(search, thresholds, lock);
    // While other threads work, this one keeps answering the user.
    const auto ended = [&] { return finished_ == jobs_.size() || failure_; };
    while (!changed_.wait_for(lock, std::chrono::milliseconds(20), ended)) {
        lock.unlock();
        monitor_.poll();
        lock.lock();
    }
    if (failure_) std::rethrow_exception(failure_);
    for (const auto& job : jobs_) {
        if (thresholds.done(job)) take(thresholds.tree(), thresholds.value());
        if (least_ >= limit()) return;
    }
    report(thresholds);
}

// Works on jobs of the round until all are begun. The lock is held on entry and on exit.
template <class T>
void Root<T>::examine(Search<T>& search, Thresholds<T>& thresholds,
                      std::unique_lock<std::mutex>& lock) {
    while (next_ < jobs_.size() && !failure_) {
        auto& job = jobs_[next_++];
        lock.unlock();
        try {
            thresholds.examine(search, job);
        } catch (const Halt&) {  // may be only a consequence of another failure
            lock.lock();
            if (!failure_) failure_ = std::current_exception();
            changed_.notify_all();
            return;
        } catch (...) {
            lock.lock();
            failure_ = std::current_exception();
            monitor_.stop();
            changed_.notify_all();
            return;
        }
        lock.lock();
        if (job.found && least_ >= job.point->cost() - data_.tolerance && next_ < jobs_.size()) {
            jobs_.resize(next_);  // no better tree can follow
        }
        if (++finished_ == jobs_.size()) changed_.notify_all();
    }
}

template <class T>
void Root<T>::help(Thresholds<T>& thresholds) {
    std::unique_lock<std::mutex> lock(mutex_);
    try {
        Search<T> search = searcher();
        while (!over_ && !failure_) {
            examine(search, thresholds, lock);
            changed_.wait(lock, [&] { return over_ || failure_ || next_ < jobs_.size(); });
        }
        add(search.statistics);
    } catch (...) {  // no memory for a search
        failure_ = std::current_exception();
        monitor_.stop();
        changed_.notify_all();
    }
}

template <class T>
void Root<T>::add(const Statistics& statistics) {
    result_.statistics.subproblems += statistics.subproblems;
    result_.statistics.depth_two += statistics.depth_two;
    result_.statistics.bounded += statistics.bounded;
}

// A bound that rises in small steps is not reported each time.
template <class T>
void Root<T>::report(const Thresholds<T>& thresholds) {
    constexpr double pause = 0.02;  // seconds
    const double now = monitor_.seconds();
    if (now < told_ + pause) return;
    told_ = now;
    const double lower = std::min(thresholds.open_lower(), thresholds.given_up());
    monitor_.bound(std::min(value_, std::max(lower, least_)));
}

template class Root<std::int16_t>;
template class Root<std::int32_t>;

}  // namespace ramify::optimal::continuous
