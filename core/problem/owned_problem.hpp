// A problem together with the parts that it points to: its criterion, its search for nominal
// splits, its costs. Invariant: what was given fits, or the functions here throw
// std::invalid_argument naming it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "problem/problem.hpp"

namespace ramify {

struct OwnedProblem {
    // The table must outlive it.
    explicit OwnedProblem(const Table& table) : problem{table} {}
    OwnedProblem(const OwnedProblem&) = delete;

    // A copy that may be narrowed to some rows. Throws if a tree has used up the table.
    Problem ready() const;
    // Throws std::invalid_argument if they do not fit the table.
    void constrain(Constraints by);

    Problem problem;
    std::unique_ptr<Criterion> criterion;
    std::unique_ptr<NominalSearch> nominal;
    std::unique_ptr<Constraints> constraints;  // may be null
    std::vector<double> costs;  // true class by answer, above the cheapest; may be empty
};

// The spans must outlive the problem, except that of the costs.
struct ClassificationGiven {
    std::span<const std::int32_t> labels;
    std::size_t classes = 0;
    std::optional<std::span<const double>> weights{};
    // By name, or the caller's own.
    std::variant<std::string, std::unique_ptr<Criterion>> criterion;
    std::string categorical_split;
    double min_support = 0.0;
    std::optional<std::span<const double>> costs{};
};

struct RegressionGiven {
    std::span<const double> target;
    std::optional<std::span<const double>> weights{};
    // By name, or the caller's own.
    std::variant<std::string, std::unique_ptr<Criterion>> criterion;
    double quantile = 0.5;
    bool multiway = false;
};

void set_up_classification(OwnedProblem& to, ClassificationGiven given,
                           const GrowParameters& parameters);
void set_up_regression(OwnedProblem& to, RegressionGiven given, const GrowParameters& parameters);

}  // namespace ramify
