// stable_sort: as std::stable_sort, without an allocation for the few elements that it mostly gets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace wend {

template <class T, class Less>
void stable_sort(T* begin, T* end, Less less) {
  const auto insert = [&less](T* first, T* last) {
    for (T* at = first; at != last; ++at) {
      T moving = std::move(*at);
      T* to = at;
      for (; to != first && less(moving, to[-1]); --to) *to = std::move(to[-1]);
      *to = std::move(moving);
    }
  };
  constexpr std::ptrdiff_t kRun = 16;
  for (T* at = begin; at < end; at += std::min(kRun, end - at)) insert(at, at + std::min(kRun, end - at));
  std::vector<T> merged;
  for (std::ptrdiff_t run = kRun; run < end - begin; run *= 2) {
    merged.clear();
    for (T* at = begin; at < end;) {
      T* const middle = at + std::min(run, end - at);
      T* const last = middle + std::min(run, end - middle);
      std::merge(at, middle, middle, last, std::back_inserter(merged), less);
      at = last;
    }
    std::move(merged.begin(), merged.end(), begin);
  }
}

}  // namespace wend
