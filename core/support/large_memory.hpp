// Vectors for large arrays. Invariant: elements that resize() adds are not cleared; they are
// written before they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ramify {

template <typename T>
struct RawAllocator : std::allocator<T> {
    RawAllocator() = default;
    template <typename U>
    RawAllocator(const RawAllocator<U>&) {}
    template <typename U>
    struct rebind {
        using other = RawAllocator<U>;
    };

    template <typename U, typename... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        if constexpr (sizeof...(Arguments) == 0) {
            ::new (static_cast<void*>(at)) U;
        } else {
            ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
        }
    }
};

// For arrays that are read or written out of order. It asks the system for large pages, because
// with small ones looking up addresses costs more than the access itself. Small arrays come from
// the ordinary heap. Arrays that are read straight through belong there too: a large page takes
// longer to get.
template <typename T>
struct LargeAllocator : RawAllocator<T> {
    static constexpr std::size_t page = std::size_t{1} << 21;

    LargeAllocator() = default;
    template <typename U>
    LargeAllocator(const LargeAllocator<U>&) {}
    template <typename U>
    struct rebind {
        using other = LargeAllocator<U>;
    };

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (bytes < page) return static_cast<T*>(::operator new(bytes));
        void* memory = ::operator new(bytes, std::align_val_t{page});
#ifdef __linux__
        madvise(memory, bytes,
                MADV_HUGEPAGE);  // only a hint: without it everything works, but slower
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        if (count * sizeof(T) < page) {
            ::operator delete(memory);
        } else {
            ::operator delete(memory, std::align_val_t{page});
        }
    }
    template <typename U>
    bool operator==(const LargeAllocator<U>&) const {
        return true;
    }
};

template <typename T>
using RawVector = std::vector<T, RawAllocator<T>>;
template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace ramify
