// The search from the root: first trees, then all trees, by one thread or more. Invariant: if the
// search ends by itself, its tree does not depend on the threads. Thresholds are examined in rounds
// of fixed size, each with what was known before the round. Of equally good trees the first in this
// order is kept, and its branches are solved again, on their own.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>

#include "optimal/continuous/discrepancy.hpp"
#include "optimal/continuous/refine.hpp"
#include "optimal/continuous/thresholds.hpp"
#include "optimal/searches.hpp"

namespace ramify::optimal::continuous {

template <class T>
class Root {
  public:
    Root(const Data& data, const Limits& limits, const Switches& switches, Monitor& monitor);

    Result run(const Run& run);

  private:
    void take(const NodeList& tree, double value);
    double budget() const;  // trees must cost less
    double limit() const;   // a better tree stays below
    void first_trees(Search<T>& search, const NodeList& start);
    void guess(Search<T>& search, Impurity impurity, int discrepancies, bool look_ahead);
    void narrow();
    int usual_depth() const;
    void refine(int discrepancies);
    int most_discrepancies() const;
    void complete(Search<T>& guesses);
    bool cached() const;
    Search<T> searcher();
    void round(Search<T>& search, Thresholds<T>& thresholds);
    void examine(Search<T>& search, Thresholds<T>& thresholds, std::unique_lock<std::mutex>& lock);
    void help(Thresholds<T>& thresholds);
    void add(const Statistics& statistics);
    void report(const Thresholds<T>& thresholds);

    const Data& data_;
    const Switches& switches_;
    Monitor& monitor_;
    Extent extent_{};  // of the trees that are searched
    int threads_;
    std::size_t memory_;
    Cache cache_;
    Cache of_guesses_;           // of their own, because trees must not depend on what threads find
    Cache no_cache_;             // for a search without one
    double beyond_ = kInfinity;  // trees that are not searched cost at least this
    Subset<T> subset_;
    double least_ = 0.0;  // no tree with a split costs less
    double value_ = kInfinity;
    double upper_bound_;
    int discrepancies_ = 0;  // of the next pass
    std::optional<Refine<T>> refine_;
    Result result_;

    std::mutex mutex_;  // guards what follows, and the result during a round
    std::condition_variable changed_;
    std::vector<typename Thresholds<T>::Job> jobs_;  // the round
    std::size_t next_ = 0, finished_ = 0;            // jobs begun and ended
    std::int64_t rounds_ = 0;
    bool over_ = false;
    std::exception_ptr failure_;
    double told_ = 0.0;
};

extern template class Root<std::int16_t>;
extern template class Root<std::int32_t>;

}  // namespace ramify::optimal::continuous
