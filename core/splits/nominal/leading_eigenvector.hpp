// The eigenvector of the largest eigenvalue of a symmetric matrix: Householder's reduction to
// tridiagonal form, Sturm's bisection for the eigenvalue, inverse iteration for the vector (Golub
// and Van Loan, sections 8.3 and 8.4). Invariant: it is exact to rounding even where eigenvalues
// lie close together, unlike power iteration.
#pragma once

#include <cstddef>
#include <vector>

namespace ramify {

std::vector<double> leading_eigenvector(std::vector<double> matrix, std::size_t size);

}  // namespace ramify
