#define GYMWRIGHT_KERNELS kBaselineKernels
#define GYMWRIGHT_KERNELS_NAME "baseline"
#include "vm/kernels_body.hpp"
