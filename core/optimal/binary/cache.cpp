#include "optimal/binary/cache.hpp"

#include <algorithm>
#include <bit>

namespace ramify::optimal::binary {
namespace {

// Combines both halves of a product, so that every bit of the factors reaches many bits of the
// result.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
    std::uint64_t x = (a ^ (b << 32 | b >> 32)) * 0x9fb21c651e98df25u;
    x = (x ^ (x >> 35)) * 0x9fb21c651e98df25u;
    return x ^ (x >> 28);
#endif
}

}  // namespace

Fingerprint fingerprint(const std::uint64_t* words, std::size_t count, std::uint64_t salt) {
    // The salt is mixed in first. Joined to a word by exclusive or, it could cancel against the
    // bits of that word.
    std::uint64_t low = fold(salt ^ 0x243f6a8885a308d3u, 0x3f84d5b5b5470917u);
    std::uint64_t high = fold(salt ^ 0x13198a2e03707344u, 0x9216d5d98979fb1bu);
    for (std::size_t w = 0; w < count; ++w) {
        low = fold(low ^ words[w], 0xa4093822299f31d1u);
        high = fold(high ^ words[w] ^ 0x082efa98ec4e6c89u, 0x452821e638d01377u);
        low += 0x9e3779b97f4a7c15u;  // a word that gives zero must not erase those before it
        high += 0xbf58476d1ce4e5b9u;
    }
    Fingerprint key{fold(low, 0xbe5466cf34e90c6du), fold(high, 0xc0ac29b7c97c50ddu)};
    if (key.low == 0 && key.high == 0) key.low = 1;
    return key;
}

Cache::Cache(std::size_t bytes, bool enabled)
    : enabled_(enabled),
      most_(std::bit_floor(std::max(ways, bytes / (shards * sizeof(Entry))))),
      shards_(enabled ? std::make_unique<Shard[]>(shards) : nullptr) {}

// The entry of a key, or a free one, or nullptr.
Cache::Entry* Cache::place(Shard& shard, const Fingerprint& key) {
    if (shard.entries.empty()) return nullptr;
    const std::size_t group = (key.high & (shard.entries.size() / ways - 1)) * ways;
    Entry* free = nullptr;
    for (std::size_t way = 0; way < ways; ++way) {
        Entry& entry = shard.entries[group + way];
        if (entry.key == key) return &entry;
        if (!free && entry.key == Fingerprint{}) free = &entry;
    }
    return free;
}

std::optional<KnownBounds> Cache::find(const Fingerprint& key) {
    if (!enabled_) return std::nullopt;
    Shard& shard = shards_[key.low % shards];
    const std::lock_guard<std::mutex> lock(shard.mutex);
    const Entry* entry = place(shard, key);
    if (!entry || entry->key != key) return std::nullopt;
    hits_.fetch_add(1, std::memory_order_relaxed);
    return entry->known;
}

void Cache::keep(const Fingerprint& key, const KnownBounds& known) {
    if (!enabled_) return;
    Shard& shard = shards_[key.low % shards];
    const std::lock_guard<std::mutex> lock(shard.mutex);
    Entry* entry = place(shard, key);
    while (!entry && shard.entries.size() < most_) {
        grow(shard);
        entry = place(shard, key);
    }
    if (!entry) {
        Entry* group = shard.entries.data() + (key.high & (shard.entries.size() / ways - 1)) * ways;
        // Evicts an entry of the least depth; the key picks which.
        const auto first = static_cast<std::size_t>(key.low >> 62);
        entry = group + first;
        for (std::size_t way = 1; way < ways; ++way) {
            Entry* other = group + (first + way) % ways;
            if (other->known.depth < entry->known.depth) entry = other;
        }
        evictions_.fetch_add(1, std::memory_order_relaxed);
    } else if (entry->key != key) {
        ++shard.used;
        entries_.fetch_add(1, std::memory_order_relaxed);
    } else {
        // Another thread may have found more in the meantime.
        KnownBounds merged = known;
        merged.bound = std::max(merged.bound, entry->known.bound);
        if (entry->known.value <= merged.value) {
            merged.value = entry->known.value;
            merged.tree = entry->known.tree;
        }
        entry->known = merged;
        return;
    }
    *entry = {key, known};
}

void Cache::grow(Shard& shard) {
    std::vector<Entry> old(shard.entries.empty() ? ways : shard.entries.size() * 2);
    old.swap(shard.entries);
    for (const Entry& entry : old) {
        if (entry.key == Fingerprint{}) continue;
        if (Entry* to = place(shard, entry.key)) *to = entry;
    }
}

}  // namespace ramify::optimal::binary
