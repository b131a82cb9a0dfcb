// The gathered rows of a cover: the bits of every feature, packed class by class. They are stored
// feature by feature, and word by word for the kernels. Invariant: that of PairSet. Features that
// do not split the rows, and all but the first of those that split them alike, are left out unless
// all are wanted.
#pragma once

#include <vector>

#include "optimal/binary/binary_table.hpp"
#include "optimal/binary/kernels.hpp"

namespace ramify::optimal::binary {

template <typename T>
class RowSet {
  public:
    explicit RowSet(const PairKernels<T>& kernels) : kernels_(kernels) {}

    // `source`: `count` features of `words` words each, in segments.
    struct Source {
        const Word* bits;
        std::size_t count;
        std::size_t words;
        const std::vector<std::size_t>& segment;
    };

    void fill(const Source& source, const Word* mask, std::int64_t min_leaf, bool keep_all);

    PairSet<T> set(std::int64_t min_leaf) const;
    Source source() const { return {packed_.data(), ids.size(), segment_.back(), segment_}; }
    const Word* packed(std::size_t feature) const {
        return packed_.data() + feature * segment_.back();
    }
    const std::vector<Word>& every_row() const { return every_row_; }
    std::size_t stride() const { return stride_; }
    std::size_t words() const { return lane_segment_.back(); }

    std::vector<std::int32_t> ids;  // of the features in the source
    std::vector<T> single;          // classes x stride
    std::vector<T> total;           // classes
    std::int64_t rows = 0;

  private:
    const PairKernels<T>& kernels_;
    bool seen_before(std::size_t at, std::size_t words);
    void transpose();

    std::vector<std::size_t> segment_;       // of packed_, in words
    std::vector<std::size_t> lane_segment_;  // of bits_, in numbers of type T
    std::vector<Word> packed_;
    std::vector<Word> every_row_;
    std::vector<T> bits_;
    std::vector<T> ones_;  // features x classes
    std::vector<std::int32_t> table_;
    std::vector<std::uint64_t> hash_;
    std::size_t stride_ = 0;
};

extern template class RowSet<std::uint16_t>;
extern template class RowSet<std::uint32_t>;

}  // namespace ramify::optimal::binary
