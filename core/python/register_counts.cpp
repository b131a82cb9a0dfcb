#include "counts/tails.hpp"
#include "python/register.hpp"

namespace ramify::python {

void register_counts(nanobind::module_& m) {
    m.def("log_chi_square_tail", &log_chi_square_tail, nanobind::arg("statistic"),
          nanobind::arg("df"));
    m.def("log_f_tail", &log_f_tail, nanobind::arg("between"), nanobind::arg("within"),
          nanobind::arg("df1"), nanobind::arg("df2"));
    m.def("log_adjusted", &log_adjusted, nanobind::arg("log_p"), nanobind::arg("count"));
}

}  // namespace ramify::python
