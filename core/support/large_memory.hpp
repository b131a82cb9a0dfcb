// Memory for large arrays that are read or written out of order: asks for large pages where the
// system has them, since otherwise looking up addresses costs more than the access. Small arrays
// come from the ordinary heap.
#pragma once

#include <cstddef>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ramify {

template <typename T>
struct LargeAllocator {
    using value_type = T;
    static constexpr std::size_t page = std::size_t{1} << 21;

    LargeAllocator() = default;
    template <typename U>
    LargeAllocator(const LargeAllocator<U>&) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        if (bytes < page) return static_cast<T*>(::operator new(bytes));
        void* memory = ::operator new(bytes, std::align_val_t{page});
#ifdef __linux__
        madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: without it all works as well, but slower
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

}  // namespace ramify
