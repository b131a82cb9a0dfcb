// C4.5's pessimistic estimate for a leaf where e of N training cases were wrong: the errors at the
// upper limit of a confidence interval of the binomial error rate. Invariant: the added errors are
// never negative, and continuous in N and e.
#pragma once

namespace ramify {

class ErrorLimit {
  public:
    explicit ErrorLimit(double confidence);  // above 0, at most 0.5

    // Errors to be added to the `errors` seen among `cases`.
    double added(double cases, double errors) const;

  private:
    double confidence_;
    double deviate_;  // of the normal distribution, exceeded with probability `confidence_`
};

}  // namespace ramify
