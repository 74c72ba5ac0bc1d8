// Made<T>: a value, or the exit code of a failure that has already been said on stderr.
#ifndef WEND_COMPILER_DRIVER_MADE_H_
#define WEND_COMPILER_DRIVER_MADE_H_

#include <cassert>
#include <utility>
#include <variant>

#include "compiler/driver/exit_code.h"

namespace wend::driver {

struct Failure {
  Exit code;
};

template <class T>
class [[nodiscard]] Made {
 public:
  Made(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Made(Failure failure) : state_(std::in_place_index<1>, failure) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return *get(); }
  T* operator->() { return get(); }
  Exit code() const {
    const Failure* failure = std::get_if<1>(&state_);
    return failure ? failure->code : Exit::fine;
  }

 private:
  T* get() {
    assert(state_.index() == 0);
    return std::get_if<0>(&state_);
  }

  std::variant<T, Failure> state_;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_MADE_H_
