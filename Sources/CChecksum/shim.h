// Checksums that Swift has no words for. Pure arithmetic, so that pure targets may use it.
//
// CRC-32C by the processor's own instruction: SSE 4.2 on x86-64, the CRC extension on ARMv8; where
// the processor lacks it the caller computes.
#ifndef BINNACLE_CCHECKSUM_H
#define BINNACLE_CCHECKSUM_H

#if defined(__x86_64__)

static inline int checksum_crc32c_available(void) {
  unsigned int eax = 1, ebx = 0, ecx = 0, edx = 0;
  __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  return (ecx >> 20) & 1;  // SSE 4.2: Intel SDM volume 2, CPUID leaf 1
}

static inline unsigned int checksum_crc32c_word(unsigned int crc, unsigned long long word) {
  unsigned long long wide = crc;
  __asm__("crc32q %1, %0" : "+r"(wide) : "rm"(word));
  return (unsigned int)wide;
}

static inline unsigned int checksum_crc32c_byte(unsigned int crc, unsigned char byte) {
  __asm__("crc32b %1, %0" : "+r"(crc) : "rm"(byte));
  return crc;
}

#elif defined(__aarch64__)

unsigned long getauxval(unsigned long type);  // glibc, <sys/auxv.h>

static inline int checksum_crc32c_available(void) {
  return (getauxval(16) >> 7) & 1;  // AT_HWCAP, HWCAP_CRC32: the kernel's asm/hwcap.h
}

static inline unsigned int checksum_crc32c_word(unsigned int crc, unsigned long long word) {
  __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
  return crc;
}

static inline unsigned int checksum_crc32c_byte(unsigned int crc, unsigned char byte) {
  __asm__(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(crc) : "r"(byte));
  return crc;
}

#else

static inline int checksum_crc32c_available(void) { return 0; }
static inline unsigned int checksum_crc32c_word(unsigned int crc, unsigned long long word) {
  (void)word;
  return crc;
}
static inline unsigned int checksum_crc32c_byte(unsigned int crc, unsigned char byte) {
  (void)byte;
  return crc;
}

#endif

// Continues `crc` (the register, not the inverted result) over `count` bytes.
static inline unsigned int checksum_crc32c(unsigned int crc, const void *bytes, long count) {
  const unsigned char *at = (const unsigned char *)bytes;
  long left = count;
  while (left >= 32) {
    unsigned long long words[4];
    __builtin_memcpy(words, at, 32);
    crc = checksum_crc32c_word(crc, words[0]);
    crc = checksum_crc32c_word(crc, words[1]);
    crc = checksum_crc32c_word(crc, words[2]);
    crc = checksum_crc32c_word(crc, words[3]);
    at += 32;
    left -= 32;
  }
  while (left >= 8) {
    unsigned long long word;
    __builtin_memcpy(&word, at, 8);
    crc = checksum_crc32c_word(crc, word);
    at += 8;
    left -= 8;
  }
  while (left > 0) {
    crc = checksum_crc32c_byte(crc, *at);
    at += 1;
    left -= 1;
  }
  return crc;
}

typedef unsigned char checksum_block __attribute__((ext_vector_type(16)));
typedef _Bool checksum_flags __attribute__((ext_vector_type(16)));

// Read from its middle less n on, it keeps the first n bytes of a block or of five. The vectors are the
// compiler's own, for any processor.
#define CHECKSUM_KEPT 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
static const unsigned char checksum_kept[160] = {CHECKSUM_KEPT, CHECKSUM_KEPT, CHECKSUM_KEPT,
                                                 CHECKSUM_KEPT, CHECKSUM_KEPT};

// A bit for each byte below `+` or above 0x7f, as none stands in the body of a usual sentence.
static inline unsigned long long checksum_unusual(checksum_block block) {
  checksum_flags unusual = __builtin_convertvector(
      ((block - (unsigned char)'+') | block) >= (unsigned char)0x80, checksum_flags);
  unsigned short bits;
  __builtin_memcpy(&bits, &unusual, 2);
  return bits;
}

// The exclusive-or of the bytes.
static inline unsigned char checksum_folded(checksum_block block) {
  unsigned long long halves[2];
  __builtin_memcpy(halves, &block, 16);
  unsigned long long all = halves[0] ^ halves[1];
  all ^= all >> 32;
  all ^= all >> 16;
  return (unsigned char)(all ^ (all >> 8));
}

// Finds the first unusual byte in `count` bytes. Returns 256 times where it stands plus the
// exclusive-or of the bytes before it, or -1: only whole blocks of sixteen bytes are looked at.
static inline long checksum_sentence(const void *bytes, long count) {
  const unsigned char *at = (const unsigned char *)bytes;
  checksum_block block;
  checksum_block mask;
  checksum_block sums = 0;
  // A sentence of the standard's length is within five blocks. Taken together they need no branch,
  // which would be mispredicted as often as lengths change.
  enum { usual = 80 };
  if (count >= usual) {
    unsigned long long bits = 0;
    for (int index = 0; index < 64; index += 16) {
      __builtin_memcpy(&block, at + index, 16);
      bits |= checksum_unusual(block) << index;
    }
    __builtin_memcpy(&block, at + 64, 16);
    long before = __builtin_ctzll(checksum_unusual(block) | 0x10000) + 64;
    if (bits != 0) before = __builtin_ctzll(bits);
    for (int index = 0; index < usual; index += 16) {
      __builtin_memcpy(&block, at + index, 16);
      __builtin_memcpy(&mask, checksum_kept + usual - before + index, 16);
      sums ^= block & mask;
    }
    if (before < usual) return before * 256 + checksum_folded(sums);
    sums = 0;
  }
  for (long index = 0; index <= count - 16; index += 16) {
    __builtin_memcpy(&block, at + index, 16);
    unsigned long long bits = checksum_unusual(block);
    if (bits == 0) {
      sums ^= block;
      continue;
    }
    long before = __builtin_ctzll(bits);
    __builtin_memcpy(&mask, checksum_kept + usual - before, 16);
    sums ^= block & mask;
    return (index + before) * 256 + checksum_folded(sums);
  }
  return -1;
}

// The 8-bit Fletcher checksum of RFC 1145: in the low byte the sum of the bytes, in the high one the
// sum of these sums, which counts each byte as often as bytes follow it, and once more.
//
// Sixteen bytes are added at once, each in its place of a block: at the end a byte's place says how
// often its sum counts, and the sums of sums how often for the blocks that followed.
static inline unsigned short checksum_fletcher8(const void *bytes, long count) {
  const checksum_block weights = {16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  const unsigned char *at = (const unsigned char *)bytes;
  unsigned char first = 0;
  unsigned char second = 0;
  if (count < 16) {
    for (long index = 0; index < count; index++) {
      first += at[index];
      second += first;
    }
    return (unsigned short)(second << 8 | first);
  }
  checksum_block sums = 0;
  checksum_block sums_of_sums = 0;
  checksum_block block;
  long index = 0;
  for (; index <= count - 64; index += 64) {
    for (int part = 0; part < 64; part += 16) {
      __builtin_memcpy(&block, at + index + part, 16);
      sums_of_sums += sums;
      sums += block;
    }
  }
  for (; index <= count - 16; index += 16) {
    __builtin_memcpy(&block, at + index, 16);
    sums_of_sums += sums;
    sums += block;
  }
  // What is left ends the last sixteen bytes; the others of them are counted already.
  long left = count - index;
  checksum_block counted;
  __builtin_memcpy(&block, at + count - 16, 16);
  __builtin_memcpy(&counted, checksum_kept + 64 + left, 16);
  second = (unsigned char)(__builtin_reduce_add(sums_of_sums) * 16 +
                           __builtin_reduce_add(sums) * left);
  sums += block & ~counted;
  second += __builtin_reduce_add(sums * weights);
  first = __builtin_reduce_add(sums);
  return (unsigned short)(second << 8 | first);
}

#endif
