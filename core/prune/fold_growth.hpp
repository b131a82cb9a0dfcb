// Grows the trees of the folds of a cross-validation. Each is grown once, by one thread, on the
// shared encoded table and in the memory of an earlier fold. Invariant: the tree of a fold depends
// on its rows alone, never on threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "columns/forms.hpp"
#include "grow/grow.hpp"
#include "grow/memory.hpp"
#include "support/parallel.hpp"

namespace ramify {

// Marks the rows that a fold grows on.
template <typename F>
concept FoldRows = requires(const F& rows, std::size_t fold) {
    { rows(fold) } -> std::same_as<std::vector<std::uint8_t>>;
};

// Tells which folds are finished; if time runs out, the others have no tree. `done` counts the
// finished ones.
template <FoldRows Rows, std::invocable<std::size_t, const Tree&> Visit>
std::vector<std::uint8_t> grow_folds(const Problem& problem, std::size_t count, const Rows& rows_of,
                                     Interrupt& interrupt, std::atomic<int>& done,
                                     const Visit& visit) {
    std::vector<std::uint8_t> finished(count, 0);
    const ColumnForms forms = forms_of(problem, has_weights(problem));
    const int threads = std::max(1, problem.parameters.threads);
    std::vector<GrowMemory> memory(static_cast<std::size_t>(threads));
    for_each_index(count, threads, [&](std::size_t fold) {
        try {
            GrowMemory& own = memory[static_cast<std::size_t>(thread_index())];
            const std::vector<std::uint8_t> rows = rows_of(fold);
            Problem part = problem;
            part.included = rows;
            part.forms = &forms;
            part.memory = &own;
            part.parameters.threads = 1;           // the folds share them
            part.parameters.competitor_depth = 0;  // nobody reads them
            Tree tree = grow(part, interrupt);
            visit(fold, tree);
            own.nodes = std::move(tree).release();
            finished[fold] = 1;
            done.fetch_add(1);
        } catch (const TimeUp&) {
            // The finished folds count.
        }
    });
    return finished;
}

}  // namespace ramify
