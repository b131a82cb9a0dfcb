// The distinct texts of a column. Invariant: codes count from 0 in the order in which the texts
// were first seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ramify {

class Levels {
  public:
    // The code of the text, which is added if it is new.
    std::int32_t code_of(std::string_view text);

    std::size_t size() const { return ends_.size(); }
    std::string_view operator[](std::size_t code) const {
        const std::size_t start = code == 0 ? 0 : ends_[code - 1];
        return std::string_view(texts_).substr(start, ends_[code] - start);
    }
    void clear() { *this = Levels(); }

  private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t code_and_one = 0;  // 0: free
    };

    void grow();

    std::string texts_;  // one after another
    std::vector<std::size_t> ends_;
    std::vector<Slot> slots_;  // at most half of them are used; their number is a power of two
};

}  // namespace ramify
