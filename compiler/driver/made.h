// Made<T>: a value, or the exit code of a failure that has already been said on stderr.
#ifndef WEND_COMPILER_DRIVER_MADE_H_
#define WEND_COMPILER_DRIVER_MADE_H_

#include <optional>
#include <utility>

#include "compiler/driver/exit_code.h"

namespace wend::driver {

struct Failure {
  Exit code;
};

template <class T>
class [[nodiscard]] Made {
 public:
  Made(T value) : value_(std::move(value)) {}
  Made(Failure failure) : code_(failure.code) {}

  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  T* operator->() { return &*value_; }
  Exit code() const { return code_; }

 private:
  std::optional<T> value_;
  Exit code_ = Exit::fine;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_MADE_H_
