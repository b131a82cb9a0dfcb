// How a search asks whether the user has stopped it, and tells how far it has come. Invariant: the
// object outlives the search.
#pragma once

#include <optional>

#include "optimal/monitor.hpp"
#include "python/arrays.hpp"
#include "python/take_signal.hpp"

namespace ramify::python {

class SearchHooks {
  public:
    explicit SearchHooks(std::optional<nb::callable> on_progress)
        : on_progress_(std::move(on_progress)) {}
    SearchHooks(const SearchHooks&) = delete;

    // Ctrl-C comes to the main thread alone. In others, on_progress stops the search in the same
    // way: it raises KeyboardInterrupt.
    optimal::Monitor::Hooks hooks() {
        optimal::Monitor::Hooks hooks{[this] { return stopped_ || take_signal(); }, {}};
        if (!on_progress_) return hooks;
        hooks.progress = [this](const optimal::Moment& moment) {
            const nb::gil_scoped_acquire gil;
            try {
                (*on_progress_)(moment.seconds, moment.objective, moment.bound);
            } catch (nb::python_error& error) {
                if (!error.matches(PyExc_KeyboardInterrupt)) throw;
                stopped_ = true;
            }
        };
        return hooks;
    }

  private:
    std::optional<nb::callable> on_progress_;
    bool stopped_ = false;
};

}  // namespace ramify::python
