#include "optimal/continuous/cache.hpp"

namespace ramify::optimal::continuous {

std::optional<Outcome> Cache::find(const Key& key) {
    if (!enabled_) return std::nullopt;
    Shard& shard = shards_[key[1] % kShards];
    const std::lock_guard<std::mutex> lock(shard.mutex);
    for (const Table* table : {&shard.young, &shard.old}) {
        const auto found = table->find(key);
        if (found == table->end()) continue;
        ++shard.hits;
        return found->second;
    }
    return std::nullopt;
}

void Cache::store(const Key& key, const Outcome& outcome) {
    if (!enabled_) return;
    Shard& shard = shards_[key[1] % kShards];
    const std::lock_guard<std::mutex> lock(shard.mutex);
    // The memory of an entry: its node and pointer in the table, and two arrays with the overhead
    // of the allocator.
    const std::size_t bytes = sizeof(Table::value_type) + 64 + outcome.tree.size() * sizeof(Node) +
                              outcome.by_column.size() * sizeof(double) + 32;
    if (shard.bytes + bytes > share_) {
        shard.evictions += static_cast<std::int64_t>(shard.old.size());
        shard.old = std::move(shard.young);
        shard.young = Table();
        shard.bytes = 0;
        if (bytes > share_) return;
    }
    const auto [at, fresh] = shard.young.try_emplace(key, outcome);
    if (fresh) {
        shard.bytes += bytes;
    } else if (outcome.exact || (!at->second.exact && outcome.lower > at->second.lower)) {
        at->second = outcome;
    }
}

void Cache::count(Statistics& statistics) const {
    for (const Shard& shard : shards_) {
        const std::lock_guard<std::mutex> lock(shard.mutex);
        statistics.cache_hits += shard.hits;
        statistics.evictions += shard.evictions;
        statistics.cache_entries +=
            static_cast<std::int64_t>(shard.young.size() + shard.old.size());
    }
}

}  // namespace ramify::optimal::continuous
