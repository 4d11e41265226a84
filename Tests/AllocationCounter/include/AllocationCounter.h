// Counts the heap allocations of a thread, by standing in for the C library's functions.
#ifndef BINNACLE_ALLOCATION_COUNTER_H
#define BINNACLE_ALLOCATION_COUNTER_H

/// How many times the calling thread has asked for memory.
unsigned long allocation_count(void);

#endif
