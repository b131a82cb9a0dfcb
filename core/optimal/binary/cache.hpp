// Solved and half-solved subproblems, by a 128-bit fingerprint of their rows, depth and leaves.
// Threads share the cache. It never exceeds its limit: when it is full, subproblems of the least
// depth are dropped. Invariant: bound <= optimum <= value for every entry.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace ramify::optimal::binary {

struct Fingerprint {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Fingerprint&) const = default;
};

// The fingerprint of the words of a cover. `salt` tells depths and leaves apart.
Fingerprint fingerprint(const std::uint64_t* words, std::size_t count, std::uint64_t salt);

struct KnownBounds {
    double bound = 0.0;
    double value = std::numeric_limits<double>::infinity();
    double limit = 0.0;        // no tree below it within `budget`, except `value`
    std::int32_t tree = -1;    // of `value`
    std::int32_t budget = -1;  // discrepancies that were tried
    std::int32_t depth = 0;
};

class Cache {
  public:
    Cache(std::size_t bytes, bool enabled);

    std::optional<KnownBounds> find(const Fingerprint& key);
    void keep(const Fingerprint& key, const KnownBounds& known);

    std::int64_t hits() const { return hits_.load(); }
    std::int64_t entries() const { return entries_.load(); }
    std::int64_t evictions() const { return evictions_.load(); }

  private:
    static constexpr std::size_t ways = 4;
    static constexpr std::size_t shards = 64;

    struct Entry {
        Fingerprint key;  // both zero: free
        KnownBounds known;
    };
    struct Shard {
        std::mutex mutex;
        std::vector<Entry> entries;  // a power of two, in groups of `ways`
        std::size_t used = 0;
    };

    Entry* place(Shard& shard, const Fingerprint& key);
    void grow(Shard& shard);

    bool enabled_;
    std::size_t most_;  // entries of a shard
    std::unique_ptr<Shard[]> shards_;
    std::atomic<std::int64_t> hits_{0}, entries_{0}, evictions_{0};
};

}  // namespace ramify::optimal::binary
