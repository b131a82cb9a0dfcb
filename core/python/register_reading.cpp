#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "python/arrays.hpp"
#include "python/register.hpp"
#include "read/delimited_reader.hpp"
#include "support/parallel.hpp"

namespace ramify::python {
namespace {

using Columns = std::vector<std::pair<std::size_t, std::string>>;

std::string_view view(const nb::bytes& bytes) {
    return {bytes.c_str(), bytes.size()};
}

// Text that Python made from another encoding may hold halves of pairs, which UTF-8 has not.
nb::object to_str(std::string_view text) {
    PyObject* const made =
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

nb::list to_list(const Levels& levels) {
    nb::list list;
    for (std::size_t code = 0; code < levels.size(); ++code) list.append(to_str(levels[code]));
    return list;
}

void make(DelimitedReader* self, const Columns& columns, std::size_t width, bool header,
          std::string delimiter, const std::string& decimal,
          const std::vector<std::string>& missing, std::size_t longest_row, std::size_t block,
          std::size_t expected, int threads) {
    std::vector<std::pair<std::size_t, CellKind>> wanted;
    for (const auto& [place, kind] : columns) {
        wanted.emplace_back(place, choose<CellKind>("kind", kind));
    }
    DelimitedOptions options;
    options.form = {std::move(delimiter), width, {.row = longest_row}};
    options.header = header;
    options.block = block;
    options.expected = expected;
    options.threads = threads > 0 ? threads : available_threads();
    new (self) DelimitedReader(std::move(options), CellRules(missing, decimal.at(0)), wanted);
}

nb::list take(DelimitedReader& reader) {
    nb::list result;
    for (TextColumn& column : reader.columns()) {
        if (column.is_late()) {
            result.append(nb::none());
        } else if (column.is_text()) {
            const nb::list levels = to_list(column.levels());
            result.append(nb::make_tuple(to_numpy(column.take_codes()), levels));
        } else {
            result.append(to_numpy(column.take_numbers()));
        }
    }
    reader.clear();
    return result;
}

}  // namespace

void register_reading(nb::module_& m) {
    nb::class_<DelimitedReader>(m, "DelimitedReader")
        .def("__init__", &make, nb::arg("columns"), nb::arg("width"), nb::arg("header"),
             nb::arg("delimiter"), nb::arg("decimal"), nb::arg("missing"), nb::arg("longest_row"),
             nb::arg("block"), nb::arg("expected") = 0, nb::arg("threads") = 0)
        .def(
            "add",
            [](DelimitedReader& reader, const nb::bytes& piece) {
                const std::string_view text = view(piece);
                const nb::gil_scoped_release release;
                reader.add(text);
            },
            nb::arg("piece"))
        .def("finish", &DelimitedReader::finish, nb::call_guard<nb::gil_scoped_release>())
        .def("take", &take)
        .def_prop_ro("rows", &DelimitedReader::rows)
        .def_prop_ro("wrong", [](const DelimitedReader& reader) -> nb::object {
            const auto wrong = reader.wrong();
            if (!wrong) return nb::none();
            const auto& [column, cell] = *wrong;
            return nb::make_tuple(column, cell.row, to_str(cell.text));
        });
    m.def(
        "first_record",
        [](const nb::bytes& text, bool final, std::string delimiter,
           std::size_t longest_row) -> nb::object {
            const RecordForm form{std::move(delimiter), 0, {.row = longest_row}};
            const auto cells = first_record(view(text), final, form);
            if (!cells) return nb::none();
            nb::list list;
            for (const std::string& cell : *cells) list.append(to_str(cell));
            return list;
        },
        nb::arg("text"), nb::arg("final"), nb::arg("delimiter"), nb::arg("longest_row"));
}

}  // namespace ramify::python
