#include "read/levels.hpp"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ramify {
namespace {

// Multiplies and folds eight bytes at a time.
std::uint32_t hash_of(std::string_view text) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
    std::uint64_t hash = text.size() * factor;
    const auto mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * factor;
        hash ^= hash >> 29;
    };
    while (text.size() >= 8) {
        std::uint64_t word;
        std::memcpy(&word, text.data(), 8);
        mix(word);
        text.remove_prefix(8);
    }
    if (!text.empty()) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), text.size());
        mix(word);
    }
    return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

std::int32_t Levels::code_of(std::string_view text) {
    if (2 * size() >= slots_.size()) grow();
    const std::uint32_t hash = hash_of(text);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at].code_and_one != 0; at = (at + 1) & mask) {
        const Slot slot = slots_[at];
        if (slot.hash == hash && (*this)[slot.code_and_one - 1] == text) {
            return static_cast<std::int32_t>(slot.code_and_one - 1);
        }
    }
    if (size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw std::length_error("a column of more than 2,147,483,647 different texts");
    }
    texts_ += text;
    ends_.push_back(texts_.size());
    slots_[at] = {hash, static_cast<std::uint32_t>(size())};
    return static_cast<std::int32_t>(size() - 1);
}

void Levels::grow() {
    std::vector<Slot> before =
        std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 4 * slots_.size()));
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : before) {
        if (slot.code_and_one == 0) continue;
        std::size_t at = slot.hash & mask;
        while (slots_[at].code_and_one != 0) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

}  // namespace ramify
