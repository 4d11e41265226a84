#define _GNU_SOURCE
#include "GPIOFake.h"

#include <errno.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// A chip is a file in memory with a byte for each line: 0 or 1 its level, 2 where nobody drives it.
// A line that was asked for is a file, too, with its chip's inode, its number and its sense.
enum { line_count = 8, floating = 2 };
static const char magic[8] = "gpiofake";

struct line_state {
  char magic[8];
  int chip;
  unsigned offset;
  int is_active_low;
};

int gpio_fake_chip(void) {
  int chip = memfd_create("gpiochip", MFD_CLOEXEC);
  char levels[line_count];
  for (int line = 0; line < line_count; line++) levels[line] = floating;
  if (chip < 0 || write(chip, magic, sizeof magic) != sizeof magic) return -1;
  return write(chip, levels, line_count) == line_count ? chip : -1;
}

static int level(int chip, unsigned line) {
  char value = floating;
  pread(chip, &value, 1, sizeof magic + line);
  return value == floating ? -1 : value;
}

int gpio_fake_level(int chip, unsigned line) { return level(chip, line); }

static void drive(const struct line_state *line, int is_on) {
  char value = is_on != line->is_active_low;
  pwrite(line->chip, &value, 1, sizeof magic + line->offset);
}

static int is_fake(int descriptor, off_t size) {
  struct stat status;
  char found[sizeof magic];
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == size &&
         pread(descriptor, found, sizeof found, 0) == sizeof found &&
         __builtin_memcmp(found, magic, sizeof found) == 0;
}

static int get_line(int chip, struct gpio_v2_line_request *request) {
  unsigned long long flags = request->config.flags;
  unsigned offset = request->offsets[0];
  if (request->num_lines != 1 || offset >= line_count || request->consumer[0] == 0 ||
      (flags & ~(unsigned long long)(GPIO_V2_LINE_FLAG_OUTPUT | GPIO_V2_LINE_FLAG_ACTIVE_LOW)) ||
      !(flags & GPIO_V2_LINE_FLAG_OUTPUT) || request->padding[0] != 0) {
    errno = EINVAL;
    return -1;
  }
  struct line_state line = {.chip = dup(chip), .offset = offset};
  __builtin_memcpy(line.magic, magic, sizeof magic);
  line.is_active_low = (flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW) != 0;
  request->fd = memfd_create("gpio-line", MFD_CLOEXEC);
  if (request->fd < 0 || write(request->fd, &line, sizeof line) != sizeof line) return -1;
  int is_on = 0;
  for (unsigned index = 0; index < request->config.num_attrs; index++) {
    struct gpio_v2_line_config_attribute *attribute = &request->config.attrs[index];
    if (attribute->attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES && attribute->mask & 1)
      is_on = attribute->attr.values & 1;
  }
  drive(&line, is_on);
  return 0;
}

static int use_line(int descriptor, unsigned long request, struct gpio_v2_line_values *values) {
  struct line_state line;
  pread(descriptor, &line, sizeof line, 0);
  if (!(values->mask & 1)) {
    errno = EINVAL;
    return -1;
  }
  if (request == GPIO_V2_LINE_SET_VALUES_IOCTL)
    drive(&line, values->bits & 1);
  else
    values->bits = level(line.chip, line.offset) != line.is_active_low;
  return 0;
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  switch (request) {
  case GPIO_V2_GET_LINE_IOCTL:
    if (is_fake(descriptor, sizeof magic + line_count)) return get_line(descriptor, argument);
    break;
  case GPIO_V2_LINE_SET_VALUES_IOCTL:
  case GPIO_V2_LINE_GET_VALUES_IOCTL:
    if (is_fake(descriptor, sizeof(struct line_state)))
      return use_line(descriptor, request, argument);
    break;
  }
  return syscall(SYS_ioctl, descriptor, request, argument);
}
