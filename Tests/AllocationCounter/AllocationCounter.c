#include "AllocationCounter.h"

#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread unsigned long counted;

unsigned long allocation_count(void) { return counted; }

void *malloc(size_t size) {
  counted++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  counted++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  counted++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  counted++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  counted++;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? 12 /* ENOMEM */ : 0;
}
