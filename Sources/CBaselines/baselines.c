#include "CBaselines.h"

#include <string.h>

static int hex_digit(uint8_t byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  return -1;
}

uint64_t baseline_nmea(const uint8_t *bytes, size_t count) {
  enum { outside, body, first_digit, second_digit } state = outside;
  uint64_t sentences = 0;
  uint8_t sum = 0;
  int high = 0;
  for (size_t at = 0; at < count; at++) {
    uint8_t byte = bytes[at];
    if (byte == '$') {
      state = body;
      sum = 0;
      continue;
    }
    switch (state) {
      case outside:
        break;
      case body:
        if (byte == '*')
          state = first_digit;
        else if (byte == '\n')
          state = outside;
        else
          sum ^= byte;
        break;
      case first_digit:
        high = hex_digit(byte);
        state = second_digit;
        break;
      case second_digit:
        if (high >= 0 && (high << 4 | hex_digit(byte)) == sum) sentences++;
        state = outside;
        break;
    }
  }
  return sentences;
}

uint64_t baseline_nmea_lines(const uint8_t *bytes, size_t count) {
  uint64_t sentences = 0;
  const uint8_t *end = bytes + count;
  while (bytes < end) {
    const uint8_t *line_end = memchr(bytes, '\n', (size_t)(end - bytes));
    if (line_end == NULL) break;
    const uint8_t *star = line_end - 4;
    if (star > bytes && *bytes == '$' && *star == '*') {
      uint8_t sum = 0;
      for (const uint8_t *at = bytes + 1; at < star; at++) sum ^= *at;
      if ((hex_digit(star[1]) << 4 | hex_digit(star[2])) == sum) sentences++;
    }
    bytes = line_end + 1;
  }
  return sentences;
}

uint64_t baseline_ubx(const uint8_t *bytes, size_t count) {
  uint64_t frames = 0;
  size_t at = 0;
  while (count - at >= 8) {
    if (bytes[at] != 0xb5 || bytes[at + 1] != 0x62) {
      at++;
      continue;
    }
    size_t length = bytes[at + 4] | (size_t)bytes[at + 5] << 8;
    if (count - at < length + 8) break;
    uint8_t first = 0, second = 0;
    const uint8_t *end = bytes + at + 6 + length;
    for (const uint8_t *byte = bytes + at + 2; byte < end; byte++) {
      first += *byte;
      second += first;
    }
    if (end[0] == first && end[1] == second) {
      frames++;
      at += length + 8;
    } else {
      at += 2;
    }
  }
  return frames;
}

uint64_t baseline_memchr(const uint8_t *bytes, size_t count) {
  uint64_t lines = 0;
  const uint8_t *end = bytes + count;
  while (bytes < end && (bytes = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL) {
    bytes++;
    lines++;
  }
  return lines;
}

uint64_t baseline_memcpy(const uint8_t *bytes, size_t count) {
  static uint8_t piece[4096];
  size_t at = 0;
  for (; count - at >= sizeof piece; at += sizeof piece) {
    memcpy(piece, bytes + at, sizeof piece);
    __asm__ volatile("" : : "r"(piece) : "memory");
  }
  return piece[sizeof piece - 1];
}
