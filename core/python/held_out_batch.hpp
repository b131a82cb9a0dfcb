// A batch of held-out rows as Python gives it: encoded columns, the rows that count, their targets
// and weights. Invariant: what is read points into the arrays, which must outlive it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "prune/held_out.hpp"
#include "prune/loss.hpp"
#include "python/arrays.hpp"
#include "support/choices.hpp"

namespace ramify::python {

using EncodedColumns = std::vector<std::variant<Array1<double>, Array1<std::int32_t>>>;
using EncodedTarget = std::variant<Array1<std::int32_t>, Array1<double>>;

inline HeldOut read_held_out(const EncodedColumns& columns, const Array1<std::uint32_t>& rows,
                             const std::optional<Array1<double>>& weights,
                             const std::string& unseen) {
    HeldOut held_out;
    for (const auto& column : columns) {
        PredictColumn& to = held_out.columns.emplace_back();
        if (const auto* values = std::get_if<Array1<double>>(&column)) {
            to.values = values->data();
        } else {
            to.codes = std::get<Array1<std::int32_t>>(column).data();
        }
    }
    held_out.rows = view(rows);
    if (weights) held_out.weights = view(*weights);
    held_out.unseen = choose<Unseen>("unseen", unseen);
    return held_out;
}

inline Judge read_judge(const std::string& loss, const std::optional<Array1<double>>& costs,
                        const EncodedTarget& target, double quantile) {
    Judge judge{choose<LossKind>("loss", loss)};
    judge.quantile = quantile;
    if (costs) judge.costs = view(*costs);
    if (const auto* labels = std::get_if<Array1<std::int32_t>>(&target)) {
        judge.labels = view(*labels);
    } else {
        judge.target = view(std::get<Array1<double>>(target));
    }
    return judge;
}

}  // namespace ramify::python
