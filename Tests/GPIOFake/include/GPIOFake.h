// A GPIO chip of eight lines for kernels without one, by standing in for the C library's `ioctl`.
#ifndef BINNACLE_GPIO_FAKE_H
#define BINNACLE_GPIO_FAKE_H

/// Makes a chip; returns a descriptor whose path in /proc/self/fd is the chip's node, or -1.
int gpio_fake_chip(void);

/// The level of a line, 0 or 1; -1 where nobody drives it.
int gpio_fake_level(int chip, unsigned line);

#endif
