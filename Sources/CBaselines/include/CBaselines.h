// What a machine can do at least with a stream of frames: small C programs of our own to hold the
// decoder against. They find and check frames and decode nothing.
#ifndef BINNACLE_CBASELINES_H
#define BINNACLE_CBASELINES_H

#include <stddef.h>
#include <stdint.h>

// NMEA 0183 sentences with a right checksum, found byte by byte with a state machine.
uint64_t baseline_nmea(const uint8_t *bytes, size_t count);

// NMEA 0183 sentences with a right checksum, found line by line with memchr.
uint64_t baseline_nmea_lines(const uint8_t *bytes, size_t count);

// UBX frames with a right Fletcher checksum.
uint64_t baseline_ubx(const uint8_t *bytes, size_t count);

// Line ends, found with memchr.
uint64_t baseline_memchr(const uint8_t *bytes, size_t count);

// Copies all bytes in pieces of 4 KiB to the same place, and returns the last one.
uint64_t baseline_memcpy(const uint8_t *bytes, size_t count);

#endif
