// Result<T>: a value or the reason why there is none.
//
// Everything in Wend that can fail for a reason outside the program (a file, a server, a user's text) returns a
// Result instead of throwing:
//
//   Result<int> port = ParsePort(text);
//   if (!port) return port.error();   // an Error converts into a Result of any type
//   Listen(*port);
//
// The text of an Error is one finished line for a person: lower case, no full stop, naming the thing that failed.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace wend {

struct Error {
  std::string message;

  friend bool operator==(const Error&, const Error&) = default;
};

// Reading the value of a failed Result, or the error of a good one, is a bug of the caller and asserts.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return *get(); }
  const T& value() const& { return *get(); }
  T&& value() && { return std::move(*get()); }

  T& operator*() & { return *get(); }
  const T& operator*() const& { return *get(); }
  T&& operator*() && { return std::move(*get()); }
  T* operator->() { return get(); }
  const T* operator->() const { return get(); }

  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

  T value_or(T fallback) const& { return ok() ? *get() : std::move(fallback); }
  T value_or(T fallback) && { return ok() ? std::move(*get()) : std::move(fallback); }

 private:
  T* get() {
    assert(ok());
    return std::get_if<0>(&state_);
  }
  const T* get() const {
    assert(ok());
    return std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

// Success without a value: `return {};`.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  void value() const { assert(ok()); }

  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<std::monostate, Error> state_;
};

}  // namespace wend
