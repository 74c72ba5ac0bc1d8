# libtorch, from a PyTorch wheel: its headers and libraries, without its CMake files (they need a CUDA compiler even
# where only the CPU is used). WEND_TORCH is the package's folder, the one with include/ and lib/.
# wend::torch: ATen, autograd and c10 on the CPU; with CUDA also torch_cuda.

set(WEND_TORCH_VERSION 2.11.0)
set(default "$ENV{WEND_TORCH}")
if(NOT default)
  set(cache "$ENV{XDG_CACHE_HOME}")
  if(NOT cache)
    set(cache "$ENV{HOME}/.cache")
  endif()
  set(default "${cache}/wend/torch-${WEND_TORCH_VERSION}/torch")
endif()
set(WEND_TORCH "${default}" CACHE PATH "Folder of the torch package (scripts/bootstrap fetches one)")

if(NOT EXISTS "${WEND_TORCH}/include/ATen/ATen.h")
  message(FATAL_ERROR "no libtorch in WEND_TORCH (${WEND_TORCH}): run scripts/bootstrap, name the folder of an installed "
                      "torch package with -DWEND_TORCH=..., or build without the trainer (-DWEND_TRAINER=OFF)")
endif()

add_library(wend_torch INTERFACE)
add_library(wend::torch ALIAS wend_torch)
# After the system's: the package brings copies of other libraries (fmt), which must not replace ours.
target_compile_options(wend_torch INTERFACE
  "SHELL:-idirafter ${WEND_TORCH}/include" "SHELL:-idirafter ${WEND_TORCH}/include/torch/csrc/api/include")
target_link_directories(wend_torch INTERFACE "${WEND_TORCH}/lib")
target_link_libraries(wend_torch INTERFACE torch_cpu c10)
target_link_options(wend_torch INTERFACE "-Wl,-rpath,${WEND_TORCH}/lib")
