// What the Glibc module lacks: epoll, timerfd, signalfd, eventfd, clock discipline, serial counters,
// serial speeds that are no power-of-two constant, and how malloc keeps memory.
#ifndef BINNACLE_CLINUX_H
#define BINNACLE_CLINUX_H

#include <asm/ioctl.h>
#include <linux/gpio.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/pps.h>
#include <linux/serial.h>
#include <linux/sock_diag.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

// <asm/termbits.h> declares struct termios a second time and cannot stand beside <termios.h>, so its
// termios2 is repeated here as the kernel's asm-generic/termbits.h has it (x86, arm, arm64, riscv).
struct binnacle_termios2 {
  unsigned int c_iflag;
  unsigned int c_oflag;
  unsigned int c_cflag;
  unsigned int c_lflag;
  unsigned char c_line;
  unsigned char c_cc[19];
  unsigned int c_ispeed;
  unsigned int c_ospeed;
};

enum {
  BINNACLE_BOTHER = 0x1000,  // speed in c_ospeed instead of a constant in c_cflag
  BINNACLE_CBAUD = 0x100f,   // the constant's bits in c_cflag
  BINNACLE_IBSHIFT = 16,     // input speed: the same bits, this far up
};

static const unsigned long BINNACLE_TCGETS2 = _IOR('T', 0x2A, struct binnacle_termios2);
static const unsigned long BINNACLE_TCSETS2 = _IOW('T', 0x2B, struct binnacle_termios2);

// Locks of an open file description (fcntl(2)), and renaming without replacing (rename(2)): declared
// by the C library for _GNU_SOURCE alone.
enum { BINNACLE_F_OFD_SETLK = 37, BINNACLE_RENAME_NOREPLACE = 1 };
int renameat2(int from_directory, const char *from, int to_directory, const char *to,
              unsigned int flags);

// A line of a GPIO chip (linux/gpio.h, version 2).
static const unsigned long BINNACLE_GPIO_GET_LINE = GPIO_V2_GET_LINE_IOCTL;
static const unsigned long BINNACLE_GPIO_GET_VALUES = GPIO_V2_LINE_GET_VALUES_IOCTL;
static const unsigned long BINNACLE_GPIO_SET_VALUES = GPIO_V2_LINE_SET_VALUES_IOCTL;

enum {
  BINNACLE_GPIO_ACTIVE_LOW = GPIO_V2_LINE_FLAG_ACTIVE_LOW,
  BINNACLE_GPIO_OUTPUT = GPIO_V2_LINE_FLAG_OUTPUT,
  BINNACLE_GPIO_ATTRIBUTE_VALUES = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES,
};

// The other end of a pseudo-terminal: its number, and its lock (ioctl_tty(2)).
static const unsigned long BINNACLE_TIOCGPTN = _IOR('T', 0x30, unsigned int);
static const unsigned long BINNACLE_TIOCSPTLCK = _IOW('T', 0x31, int);

// A question about one TCP socket, and the answer without its attributes (sock_diag(7)).
struct binnacle_inet_query {
  struct nlmsghdr header;
  struct inet_diag_req_v2 request;
};

struct binnacle_inet_answer {
  struct nlmsghdr header;
  struct inet_diag_msg message;
};

enum {
  BINNACLE_NETLINK_SOCK_DIAG = NETLINK_SOCK_DIAG,
  BINNACLE_SOCK_DIAG_BY_FAMILY = SOCK_DIAG_BY_FAMILY,
  BINNACLE_NLM_F_REQUEST = NLM_F_REQUEST,
};

// The last pulse of a PPS device (linux/pps.h), and the line discipline that makes one of a line.
static const unsigned long BINNACLE_PPS_FETCH = PPS_FETCH;

enum { BINNACLE_N_PPS = 18 };

// Groups of the program at the other end of a Unix socket (socket(7); asm-generic/socket.h).
enum { BINNACLE_SO_PEERGROUPS = 59 };

// Shared memory of NTP reference clocks: ntpd's refclock_shm.c on machines with 64 bits.
struct binnacle_ntp_time {
  int mode;
  volatile int count;
  long long clock_seconds;
  int clock_microseconds;
  long long receive_seconds;
  int receive_microseconds;
  int leap;
  int precision;
  int sample_count;
  volatile int valid;
  unsigned clock_nanoseconds;
  unsigned receive_nanoseconds;
  int reserved[8];
};

// Keeps what is written to shared memory in order, for readers of other processes.
static inline void binnacle_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
