// The first principal component of a large contingency table, by Lanczos' method with full
// reorthogonalisation (Golub and Van Loan, section 10.1). Invariant: it takes a bounded number of
// passes over the entries that are not zero, and the same table gives the same scores.
#pragma once

#include <vector>

#include "counts/contingency.hpp"

namespace ramify {

// Scores of the levels as principal_scores() gives them, but for their sign and to fewer digits
// where eigenvalues lie close together.
std::vector<double> approximate_principal_scores(const Contingency& table);

}  // namespace ramify
