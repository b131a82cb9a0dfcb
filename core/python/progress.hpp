// Long work on behalf of Python: signals interrupt it, it reports its progress, and it ends in
// time. Invariant: Python is called only from the thread that made the interrupt.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "python/arrays.hpp"
#include "support/interrupt.hpp"

namespace ramify::python {

struct ProgressingInterrupt {
    // `on_progress` is called with the value of `done` whenever that has changed.
    ProgressingInterrupt(std::optional<nb::callable> on_progress, const std::atomic<int>& done,
                         std::optional<double> seconds)
        : interrupt([on_progress = std::move(on_progress), &done, told = 0]() mutable {
              check_signals();
              const int now = done.load();
              if (!on_progress || now == told) return;
              told = now;
              const nb::gil_scoped_acquire gil;
              (*on_progress)(now);
          }) {
        constexpr double for_ever = 1e9;  // seconds; more would not fit the clock
        if (seconds && *seconds < for_ever) {
            using Clock = Interrupt::Clock;
            interrupt.set_deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                      std::chrono::duration<double>(*seconds)));
        }
    }

    Interrupt interrupt;
};

}  // namespace ramify::python
