#define GYMWRIGHT_KERNELS kAvx2Kernels
#define GYMWRIGHT_KERNELS_NAME "avx2"
#include "vm/kernels_body.hpp"
