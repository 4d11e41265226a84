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
  while (left > 0) {
    crc = checksum_crc32c_byte(crc, *at);
    at += 1;
    left -= 1;
  }
  return crc;
}

typedef unsigned char checksum_block __attribute__((ext_vector_type(16)));
typedef _Bool checksum_flags __attribute__((ext_vector_type(16)));

// Finds the first byte below `+` or above 0x7f in `count` bytes, as none stands in the body of a
// usual sentence. Returns 256 times where it stands plus the exclusive-or of the bytes before it,
// or -1: only whole blocks of sixteen bytes are looked at. The vectors are the compiler's own, for
// any processor.
static inline long checksum_sentence(const void *bytes, long count) {
  static const unsigned char kept[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                         255, 255, 255, 255, 255, 255, 255, 255};
  const unsigned char *at = (const unsigned char *)bytes;
  checksum_block sums = 0;
  for (long index = 0; index <= count - 16; index += 16) {
    checksum_block block;
    __builtin_memcpy(&block, at + index, 16);
    checksum_flags unusual = __builtin_convertvector(
        ((block - (unsigned char)'+') | block) >= (unsigned char)0x80, checksum_flags);
    unsigned short bits;
    __builtin_memcpy(&bits, &unusual, 2);
    if (bits == 0) {
      sums ^= block;
      continue;
    }
    long before = __builtin_ctz(bits);
    checksum_block mask;
    __builtin_memcpy(&mask, kept + 16 - before, 16);
    sums ^= block & mask;
    unsigned long long halves[2];
    __builtin_memcpy(halves, &sums, 16);
    unsigned long long all = halves[0] ^ halves[1];
    all ^= all >> 32;
    all ^= all >> 16;
    return (index + before) * 256 + (unsigned char)(all ^ (all >> 8));
  }
  return -1;
}

#endif
