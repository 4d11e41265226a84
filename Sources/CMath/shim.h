// The trigonometric functions that the Swift standard library lacks. Pure arithmetic, so that pure
// targets may use it; the compiler's builtins keep the C library's headers out.
#ifndef BINNACLE_CMATH_H
#define BINNACLE_CMATH_H

static inline double math_sin(double x) { return __builtin_sin(x); }
static inline double math_cos(double x) { return __builtin_cos(x); }
static inline double math_tan(double x) { return __builtin_tan(x); }
static inline double math_asin(double x) { return __builtin_asin(x); }
static inline double math_acos(double x) { return __builtin_acos(x); }
static inline double math_atan(double x) { return __builtin_atan(x); }
static inline double math_atan2(double y, double x) { return __builtin_atan2(y, x); }
static inline double math_log(double x) { return __builtin_log(x); }

#endif
