#include "vm/kernels.hpp"

namespace gymwright {

extern const Kernels kBaselineKernels;
#if defined(GYMWRIGHT_X86_KERNELS)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

const std::vector<const Kernels*>& availableKernels() {
  static const std::vector<const Kernels*> available = [] {
    std::vector<const Kernels*> found = {&kBaselineKernels};
#if defined(GYMWRIGHT_X86_KERNELS)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) found.push_back(&kAvx2Kernels);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      found.push_back(&kAvx512Kernels);
#endif
    return found;
  }();
  return available;
}

}  // namespace gymwright
