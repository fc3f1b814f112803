#define GYMWRIGHT_KERNELS kAvx512Kernels
#define GYMWRIGHT_KERNELS_NAME "avx512"
#include "vm/kernels_body.hpp"
