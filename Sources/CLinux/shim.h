// What the Glibc module lacks: epoll, timerfd, signalfd, eventfd, and calls with variable arguments.
#ifndef BINNACLE_CLINUX_H
#define BINNACLE_CLINUX_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#endif
