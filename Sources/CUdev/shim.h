#ifndef BINNACLE_CUDEV_H
#define BINNACLE_CUDEV_H
#include <libudev.h>
#endif
