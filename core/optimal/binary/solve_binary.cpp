// The search over binary features as a whole: passes of growing discrepancy, then the complete pass
// with all threads.
#include <algorithm>
#include <optional>

#include "optimal/binary/refine.hpp"
#include "optimal/binary/search.hpp"
#include "optimal/extent.hpp"
#include "optimal/searches.hpp"
#include "optimal/solve.hpp"
#include "optimal/team.hpp"

namespace ramify::optimal::binary {
namespace {

// If a pass with a smaller budget finds nothing, larger budgets may still find better trees.
constexpr std::int32_t enough_budget = 15;
// From this depth on, the complete pass may not end, and waits until the branches of the best tree
// have been searched completely.
constexpr int deep = 6;
constexpr double first_work = 1e7;  // of a round, see Search::allow

class BinarySolver : public Solver {
  public:
    BinarySolver(const OptimalProblem& problem, const Limits& limits, const Switches& switches,
                 Monitor& monitor)
        : problem_(problem),
          limits_(limits),
          switches_(switches),
          monitor_(monitor),
          cache_(limits.memory, switches.cache) {}

    Result run(const Run& run) override {
        Result result;
        limits_.max_depth = run.extent.depth;
        limits_.max_leaves = run.extent.leaves;
        beyond_ = run.beyond;
        monitor_.believe(beyond_);
        begin(run.start);
        try {
            if (searches_.empty()) prepare();
            search_all();
        } catch (const Halt&) {
            // What has been found so far stays.
        }
        monitor_.end_search();
        if (!finished_ && !searches_.empty()) collect();
        result.proven = finished_ && best_.value <= limits_.upper_bound;
        result.none_below = finished_ && best_.value >= limits_.upper_bound;
        result.nodes = nodes();
        for (const auto& search : searches_) {
            add(search->statistics, result.statistics);
            search->statistics = {};
        }
        result.statistics.cache_hits = cache_.hits();
        result.statistics.cache_entries = cache_.entries();
        result.statistics.evictions = cache_.evictions();
        return result;
    }

  private:
    void prepare() {
        table_.emplace(problem_, switches_.equivalent_rows, monitor_);
        for (int thread = 0; thread < std::max(1, limits_.threads); ++thread) {
            searches_.push_back(std::make_unique<Search>(
                SearchContext{*table_, limits_, switches_, cache_, trees_, monitor_}));
        }
    }

    void begin(const NodeList& start) {
        best_ = {};
        best_.value = objective_of(problem_, limits_, {Node{}});
        start_ = {Node{}};
        finished_ = false;
        if (!start.empty() && keeps_limits(problem_, limits_, start)) {
            const double value = objective_of(problem_, limits_, start);
            if (value < best_.value) {
                best_.value = value;
                start_ = start;
            }
        }
        monitor_.improve(best_.value);
    }

    void search_all() {
        const int depth = limits_.max_depth;
        if (depth <= (switches_.depth_two ? 2 : 0) || table_->features() == 0) {
            const Answer answer = searches_[0]->solve(table_->all.data(), depth, limits_.max_leaves,
                                                      limit(), any_budget);
            take(answer.value, answer.tree);
            finish();
            return;
        }
        const auto most = static_cast<std::int32_t>(table_->features());
        if (switches_.discrepancy && depth >= deep) {
            improve();
        } else if (switches_.discrepancy) {
            // Goes on as long as a larger budget finds better trees. After that only the proof is
            // wanted.
            for (std::int32_t budget = 0; budget < most && !finished_; budget = 2 * budget + 1) {
                const double before = best_.value;
                pass(budget, 1);
                if (budget >= enough_budget && best_.value == before) break;
            }
        }
        if (!finished_) pass(any_budget, limits_.threads);
    }

    // Rounds of passes from the root and of better branches, each with twice the work. They end
    // when both branches of the first split are proven: then the other splits can be, too.
    void improve() {
        Search& search = *searches_[0];
        Refine refine(search, *table_, trees_, [this] { collect(); });
        const auto most = static_cast<std::int32_t>(table_->features());
        std::int32_t budget = 0;
        for (double work = first_work; !finished_; work *= 2) {
            search.allow(work);
            try {
                for (; !finished_ && budget < most; budget = more_discrepancies(budget, most)) {
                    pass(budget, 1);
                }
            } catch (const Halt&) {
                if (!search.exhausted()) throw;
            }
            search.allow(infinite);
            if (finished_ || budget >= most) return;
            if (!start_.empty()) continue;  // nothing is found yet
            collect();
            if (refine(table_->all.data(), best_.tree, limits_.max_depth, limits_.max_leaves, work,
                       false)
                    .best) {
                return;
            }
        }
    }

    // Takes over what the cache knows of the branches of the best tree.
    void collect() {
        if (!start_.empty() || !switches_.cache) return;
        const Word* all = table_->all.data();
        searches_[0]->offer(all, limits_.max_depth, limits_.max_leaves, best_.value, best_.tree);
        Refine refine(*searches_[0], *table_, trees_, {});
        const auto found = refine.collect(all, best_.tree, limits_.max_depth, limits_.max_leaves);
        take(found.value, found.tree);
    }

    void pass(std::int32_t budget, int threads) {
        const Extent extent = reach();
        if (extent.depth == 0) return finish();
        Branching root{table_->all.data(),
                       extent.depth,
                       extent.leaves,
                       limit(),
                       budget,
                       true,
                       {},
                       {},
                       {},
                       {},
                       {},
                       0,
                       infinite,
                       TreeStore::leaf,
                       -1};
        try {
            searches_[0]->begin(root);
            monitor_.improve(root.value);
            run_team(threads, monitor_, [&](int thread) {
                Search& search = *searches_[static_cast<std::size_t>(thread)];
                if (thread > 0) search.begin(root);
                search.work(root);
            });
        } catch (...) {
            take(root.value, root.tree);
            throw;
        }
        take(root.value, root.tree);
        monitor_.bound(root.lower_bound());
        // A complete pass is a proof, even if the bound falls short in its last digit.
        if (budget == any_budget || root.lower_bound() >= limit()) finish();
    }

    // The trees that may be below the limit.
    Extent reach() {
        const double unavoidable = table_->unavoidable(table_->all.data());
        const std::int64_t most = leaves_below(limit(), unavoidable, limits_.sparsity);
        if (most < any_leaves) {
            const double more = least_beyond(most, unavoidable, limits_.sparsity);
            monitor_.believe(std::min(beyond_, more));
        }
        return Extent{limits_.max_depth, limits_.max_leaves}.within(most);
    }

    void take(double value, std::int32_t tree) {
        if (value >= best_.value) return;
        best_.value = value;
        best_.tree = tree;
        start_.clear();
        monitor_.improve(value);
    }

    // The limit that a better tree stays below.
    double limit() const { return std::min(best_.value, limits_.upper_bound); }

    void finish() {
        finished_ = true;
        monitor_.bound(limit());
    }

    NodeList nodes() {
        if (!start_.empty()) return start_;
        NodeList nodes;
        searches_[0]->write(table_->all.data(), best_.tree, limits_.max_depth, limits_.max_leaves,
                            nodes);
        return nodes;
    }

    static void add(const Statistics& from, Statistics& to) {
        to.subproblems += from.subproblems;
        to.depth_two += from.depth_two;
        to.bounded += from.bounded;
    }

    const OptimalProblem& problem_;
    Limits limits_;  // depth and leaves are those of the run
    const Switches& switches_;
    Monitor& monitor_;
    std::optional<BinaryTable> table_;
    Cache cache_;
    TreeStore trees_;
    std::vector<std::unique_ptr<Search>> searches_;
    Answer best_;
    NodeList start_;            // the best tree, until the store has a better one
    double beyond_ = infinite;  // trees that are not searched cost at least this
    bool finished_ = false;     // nothing is left to search
};

}  // namespace
}  // namespace ramify::optimal::binary

namespace ramify::optimal {

std::unique_ptr<Solver> make_binary_solver(const OptimalProblem& problem, const Limits& limits,
                                           const Switches& switches, Monitor& monitor) {
    return std::make_unique<binary::BinarySolver>(problem, limits, switches, monitor);
}

}  // namespace ramify::optimal
