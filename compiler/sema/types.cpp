#include "compiler/sema/types.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace wend::sema {
namespace {

double magnitude(double low, double high) {
  double m = std::max(std::fabs(low), std::fabs(high));
  return std::isinf(m) ? 1e18 : m;
}

// Infinity times zero is zero: the zero is exact, the infinity only means "unbounded".
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

}  // namespace

Range Range::exactly(double x) { return {x, x, std::fabs(x)}; }
Range Range::between(double low, double high) { return {low, high, magnitude(low, high)}; }
Range Range::count() { return {0, kInfinity, kMaxElements}; }

Range operator+(Range a, Range b) { return {a.low + b.low, a.high + b.high, a.bound + b.bound}; }
Range operator-(Range a) { return {-a.high, -a.low, a.bound}; }
Range operator-(Range a, Range b) { return a + (-b); }

Range operator*(Range a, Range b) {
  double p[] = {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)};
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4), a.bound * b.bound};
}

Range divide(Range a, Range b) {
  // A divisor that may touch zero (but is not zero when divided by) leaves the quotient unbounded on that side.
  if (b.low <= 0 && b.high >= 0) {
    if (b.low == 0 && a.low >= 0) return {0, kInfinity, 1e18};
    return {-kInfinity, kInfinity, 1e18};
  }
  auto inverse = [](double x) { return std::isinf(x) ? 0.0 : 1.0 / x; };
  Range r = a * Range{inverse(b.high), inverse(b.low), 1};
  double least = std::min(std::fabs(b.low), std::fabs(b.high));
  r.bound = a.bound / least;
  return r;
}

Range hull(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high), std::max(a.bound, b.bound)}; }
Range min(Range a, Range b) { return {std::min(a.low, b.low), std::min(a.high, b.high), std::max(a.bound, b.bound)}; }
Range max(Range a, Range b) { return {std::max(a.low, b.low), std::max(a.high, b.high), std::max(a.bound, b.bound)}; }
Range repeated(Range body) {
  return {body.low < 0 ? -kInfinity : 0, body.high > 0 ? kInfinity : 0, body.bound * kMaxElements};
}

std::string to_string(Range r) {
  auto number = [](double x) { return fmt::format("{}", x == 0 ? 0.0 : x); };
  if (std::isinf(r.low) && std::isinf(r.high)) return "any";
  if (std::isinf(r.low)) return ".. " + number(r.high);
  if (std::isinf(r.high)) return number(r.low) + " ..";
  if (r.low == r.high) return number(r.low);
  return number(r.low) + " .. " + number(r.high);
}

}  // namespace wend::sema
