// Solved nodes by the set of their rows: an optimum or a bound. Threads share the cache. Invariant:
// it takes no more memory than allowed; when it is full, the older half is dropped.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "optimal/continuous/data.hpp"
#include "optimal/continuous/outcome.hpp"

namespace ramify::optimal::continuous {

class Cache {
  public:
    Cache(std::size_t memory, bool enabled) : enabled_(enabled), share_(memory / kShards / 2) {}

    static Key key(Key rows, int depth, std::int64_t leaves) {
        const auto limits =
            static_cast<std::uint64_t>(leaves) * 64 + static_cast<std::uint64_t>(depth);
        return {rows[0] ^ (limits * 0x9e3779b97f4a7c15u), rows[1]};
    }
    std::optional<Outcome> find(const Key& key);
    void store(const Key& key, const Outcome& outcome);

    void count(Statistics& statistics) const;

  private:
    static constexpr std::size_t kShards = 16;
    struct Hash {
        std::size_t operator()(const Key& key) const { return key[0]; }
    };
    using Table = std::unordered_map<Key, Outcome, Hash>;
    struct Shard {
        mutable std::mutex mutex;
        Table young, old;
        std::size_t bytes = 0;  // of young
        std::int64_t hits = 0, evictions = 0;
    };

    bool enabled_;
    std::size_t share_;
    std::array<Shard, kShards> shards_;
};

}  // namespace ramify::optimal::continuous
