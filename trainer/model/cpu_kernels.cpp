#include "trainer/model/cpu_kernels.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

// One body, compiled for what the machine has.
#define WEND_FOR_EACH_CPU __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define WEND_INLINE [[gnu::always_inline]] inline

namespace wend::model::cpu {
namespace {

constexpr int64_t kLanes = 16;
constexpr int64_t kGrain = 1 << 14;  // elements that are worth a thread
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float)), aligned(alignof(float)), may_alias));

WEND_INLINE Lanes load(const float* p) { return *reinterpret_cast<const Lanes*>(p); }
WEND_INLINE void store(float* p, Lanes v) { *reinterpret_cast<Lanes*>(p) = v; }

// In a fixed order: halves are added until one is left.
WEND_INLINE float sum(Lanes v) {
  float lanes[kLanes];
  store(lanes, v);
  for (int64_t width = kLanes / 2; width > 0; width /= 2) {
    for (int64_t i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  }
  return lanes[0];
}

WEND_INLINE float dot(const float* a, const float* b, int64_t n) {
  Lanes total = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) total += load(a + i) * load(b + i);
  float out = sum(total);
  for (; i < n; ++i) out += a[i] * b[i];
  return out;
}

// Rows x Columns products of one block, each with its own accumulator: the order of its additions is that of `dot`.
template <int Rows, int Columns>
WEND_INLINE void product_block(const float* x, const float* w, int64_t k, const float* bias, float* y, int64_t n) {
  Lanes total[Rows][Columns] = {};
  int64_t i = 0;
  for (; i + kLanes <= k; i += kLanes) {
    Lanes columns[Columns];
    for (int c = 0; c < Columns; ++c) columns[c] = load(w + c * k + i);
    for (int r = 0; r < Rows; ++r) {
      const Lanes row = load(x + r * k + i);
      for (int c = 0; c < Columns; ++c) total[r][c] += row * columns[c];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int c = 0; c < Columns; ++c) {
      float out = sum(total[r][c]);
      for (int64_t rest = i; rest < k; ++rest) out += x[r * k + rest] * w[c * k + rest];
      y[r * n + c] = bias != nullptr ? out + bias[c] : out;
    }
  }
}

template <int Columns>
WEND_INLINE void product_rows(const float* x, int64_t m, const float* w, int64_t k, const float* bias, float* y,
                              int64_t n) {
  int64_t r = 0;
  for (; r + 4 <= m; r += 4) product_block<4, Columns>(x + r * k, w, k, bias, y + r * n, n);
  for (; r < m; ++r) product_block<1, Columns>(x + r * k, w, k, bias, y + r * n, n);
}

WEND_FOR_EACH_CPU void product_columns(const float* x, int64_t m, const float* w, int64_t k, const float* bias,
                                       float* y, int64_t n, int64_t begin, int64_t end) {
  int64_t c = begin;
  const auto at = [&](const float* p) { return p == nullptr ? nullptr : p + c; };
  for (; c + 4 <= end; c += 4) product_rows<4>(x, m, w + c * k, k, at(bias), y + c, n);
  for (; c < end; ++c) product_rows<1>(x, m, w + c * k, k, at(bias), y + c, n);
}

// A tensor [T, n] or [T, heads, n] as rows; a view of a wider one has gaps.
struct Rows {
  int64_t outer, inner, width, outer_stride, inner_stride;

  explicit Rows(const at::Tensor& x)
      : outer(x.size(0)),
        inner(x.dim() == 3 ? x.size(1) : 1),
        width(x.size(-1)),
        outer_stride(x.stride(0)),
        inner_stride(x.dim() == 3 ? x.stride(1) : 0) {}
  int64_t count() const { return outer * inner; }
  int64_t at(int64_t row) const { return row / inner * outer_stride + row % inner * inner_stride; }
  int64_t grain() const { return std::max<int64_t>(1, kGrain / width); }
};

WEND_FOR_EACH_CPU void norm_rows(const float* x, const Rows& rows, const float* weight, float epsilon, float* scale,
                                 float* out, int64_t begin, int64_t end) {
  const int64_t n = rows.width;
  for (int64_t row = begin; row < end; ++row) {
    const float* in = x + rows.at(row);
    const float s = 1 / std::sqrt(dot(in, in, n) / static_cast<float>(n) + epsilon);
    if (scale != nullptr) scale[row] = s;
    float* to = out + row * n;
    for (int64_t i = 0; i < n; ++i) to[i] = in[i] * s * weight[i];
  }
}

// With y = x s: dx = s (g - y mean(g y)), g the gradient times the weight; d weight = grad y.
WEND_FOR_EACH_CPU void norm_rows_backward(const float* grad, const Rows& grad_rows, const float* x, const Rows& rows,
                                          const float* weight, const float* scale, float* grad_x, float* grad_weight,
                                          int64_t begin, int64_t end) {
  const int64_t n = rows.width;
  for (int64_t row = begin; row < end; ++row) {
    const float *g = grad + grad_rows.at(row), *in = x + rows.at(row);
    const float s = scale[row];
    Lanes lanes = {};
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) lanes += load(g + i) * load(weight + i) * load(in + i);
    float mean = sum(lanes);
    for (; i < n; ++i) mean += g[i] * weight[i] * in[i];
    mean *= s * s / static_cast<float>(n);
    float* to = grad_x + row * n;
    for (i = 0; i < n; ++i) {
      to[i] = s * (g[i] * weight[i] - in[i] * mean);
      grad_weight[i] += g[i] * in[i] * s;
    }
  }
}

// e^x by the bits of its exponent and a polynomial (Cephes): the library's is not vectorised here. Within 2 ulp.
WEND_INLINE float exponential(float x) {
  x = std::min(88.0f, std::max(-87.0f, x));
  const float whole = std::floor(x * 1.44269504088896341f + 0.5f);
  const float r = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1;
  const int32_t bits = (static_cast<int32_t>(whole) + 127) << 23;
  return p * __builtin_bit_cast(float, bits);
}

WEND_FOR_EACH_CPU void swiglu_rows(const float* gate_up, int64_t n, float* out, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const float *gate = gate_up + row * 2 * n, *up = gate + n;
    float* to = out + row * n;
    for (int64_t i = 0; i < n; ++i) to[i] = gate[i] / (1 + exponential(-gate[i])) * up[i];
  }
}

WEND_FOR_EACH_CPU void swiglu_rows_backward(const float* grad, const float* gate_up, int64_t n, float* out,
                                            int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const float *gate = gate_up + row * 2 * n, *up = gate + n, *g = grad + row * n;
    float *to_gate = out + row * 2 * n, *to_up = to_gate + n;
    for (int64_t i = 0; i < n; ++i) {
      const float sigmoid = 1 / (1 + exponential(-gate[i])), silu = gate[i] * sigmoid;
      to_up[i] = g[i] * silu;
      to_gate[i] = g[i] * up[i] * (sigmoid + silu * (1 - sigmoid));
    }
  }
}

WEND_FOR_EACH_CPU void rotate_rows(const float* x, const Rows& rows, const float* cosine, const float* sine, float sign,
                                   float* out, int64_t begin, int64_t end) {
  const int64_t half = rows.width / 2;
  for (int64_t row = begin; row < end; ++row) {
    const float *in = x + rows.at(row), *c = cosine + row / rows.inner * half, *s = sine + row / rows.inner * half;
    float* to = out + row * rows.width;
    for (int64_t i = 0; i < half; ++i) {
      const float low = in[i], high = in[i + half], turn = sign * s[i];
      to[i] = low * c[i] - high * turn;
      to[i + half] = high * c[i] + low * turn;
    }
  }
}

// The queries of one group (`heads` of them, d apart) against `length` keys and values.
WEND_FOR_EACH_CPU void attend_group(const float* queries, int64_t heads, int64_t d, const float* keys,
                                    const float* values, int64_t length, float* scores, float* out) {
  const float factor = 1 / std::sqrt(static_cast<float>(d));
  for (int64_t h = 0; h < heads; ++h) {
    const float* q = queries + h * d;
    float most = -INFINITY;
    for (int64_t t = 0; t < length; ++t) {
      scores[t] = dot(q, keys + t * d, d) * factor;
      most = std::max(most, scores[t]);
    }
    for (int64_t t = 0; t < length; ++t) scores[t] = exponential(scores[t] - most);
    float total = 0;
    for (int64_t t = 0; t < length; ++t) total += scores[t];
    float* to = out + h * d;
    std::fill(to, to + d, 0.0f);
    for (int64_t t = 0; t < length; ++t) {
      const float* value = values + t * d;
      for (int64_t i = 0; i < d; ++i) to[i] += scores[t] * value[i];
    }
    for (int64_t i = 0; i < d; ++i) to[i] /= total;
  }
}

}  // namespace

bool takes(const at::Tensor& x) {
  return x.device().is_cpu() && x.scalar_type() == at::kFloat && x.dim() >= 2 && x.dim() <= 3 && x.stride(-1) == 1;
}

at::Tensor linear_rows(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  const int64_t m = x.size(0), k = x.size(1), n = weight.size(0);
  const at::Tensor in = x.contiguous();
  at::Tensor out = at::empty({m, n}, x.options());
  const auto *from = in.const_data_ptr<float>(), *w = weight.const_data_ptr<float>();
  const float* b = bias.defined() ? bias.const_data_ptr<float>() : nullptr;
  auto* to = out.data_ptr<float>();
  at::parallel_for(0, n, std::max<int64_t>(4, kGrain / (m * k)),
                   [&](int64_t begin, int64_t end) { product_columns(from, m, w, k, b, to, n, begin, end); });
  return out;
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon, at::Tensor* scale) {
  const Rows rows(x);
  at::Tensor out = at::empty(x.sizes(), x.options());
  if (scale != nullptr) *scale = at::empty({rows.count()}, x.options());
  const auto *in = x.const_data_ptr<float>(), *w = weight.const_data_ptr<float>();
  float *s = scale != nullptr ? scale->data_ptr<float>() : nullptr, *to = out.data_ptr<float>();
  at::parallel_for(0, rows.count(), rows.grain(), [&](int64_t begin, int64_t end) {
    norm_rows(in, rows, w, static_cast<float>(epsilon), s, to, begin, end);
  });
  return out;
}

at::Tensor rms_norm_backward(const at::Tensor& grad, const at::Tensor& x, const at::Tensor& weight,
                             const at::Tensor& scale, at::Tensor& grad_weight) {
  const Rows rows(x), grad_rows(grad);
  at::Tensor out = at::empty(x.sizes(), x.options());
  // A partial sum for each of a fixed number of parts, so that the result is the same on any number of threads.
  constexpr int64_t kParts = 8;
  at::Tensor parts = at::zeros({kParts, rows.width}, x.options());
  const auto *g = grad.const_data_ptr<float>(), *in = x.const_data_ptr<float>(), *w = weight.const_data_ptr<float>(),
             *s = scale.const_data_ptr<float>();
  float *to = out.data_ptr<float>(), *sums = parts.data_ptr<float>();
  at::parallel_for(0, kParts, rows.count() * rows.width > kGrain ? 1 : kParts, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part) {
      norm_rows_backward(g, grad_rows, in, rows, w, s, to, sums + part * rows.width, rows.count() * part / kParts,
                         rows.count() * (part + 1) / kParts);
    }
  });
  grad_weight = parts.sum(0);
  return out;
}

at::Tensor swiglu(const at::Tensor& gate_up) {
  const at::Tensor in = gate_up.contiguous();
  const int64_t n = in.size(-1) / 2;
  at::Tensor out = at::empty({in.size(0), n}, in.options());
  const auto* from = in.const_data_ptr<float>();
  auto* to = out.data_ptr<float>();
  at::parallel_for(0, in.size(0), std::max<int64_t>(1, kGrain / n),
                   [&](int64_t begin, int64_t end) { swiglu_rows(from, n, to, begin, end); });
  return out;
}

at::Tensor swiglu_backward(const at::Tensor& grad, const at::Tensor& gate_up) {
  const at::Tensor in = gate_up.contiguous(), of = grad.contiguous();
  const int64_t n = in.size(-1) / 2;
  at::Tensor out = at::empty(in.sizes(), in.options());
  const auto *from = in.const_data_ptr<float>(), *g = of.const_data_ptr<float>();
  auto* to = out.data_ptr<float>();
  at::parallel_for(0, in.size(0), std::max<int64_t>(1, kGrain / n),
                   [&](int64_t begin, int64_t end) { swiglu_rows_backward(g, from, n, to, begin, end); });
  return out;
}

at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine, float sign) {
  const Rows rows(x);
  at::Tensor out = at::empty(x.sizes(), x.options());
  const auto *in = x.const_data_ptr<float>(), *c = cosine.const_data_ptr<float>(), *s = sine.const_data_ptr<float>();
  auto* to = out.data_ptr<float>();
  at::parallel_for(0, rows.count(), rows.grain(),
                   [&](int64_t begin, int64_t end) { rotate_rows(in, rows, c, s, sign, to, begin, end); });
  return out;
}

at::Tensor attend_cache(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                        std::span<const int64_t> slots, std::span<const int64_t> lengths) {
  const int64_t batch = queries.size(0), d = queries.size(2), kv = keys.size(1), group = queries.size(1) / kv;
  const at::Tensor in = queries.contiguous();
  at::Tensor out = at::empty_like(in);
  const auto *q = in.const_data_ptr<float>(), *k = keys.const_data_ptr<float>(), *v = values.const_data_ptr<float>();
  auto* to = out.data_ptr<float>();
  at::parallel_for(0, batch * kv, 1, [&](int64_t begin, int64_t end) {
    std::vector<float> scores(static_cast<size_t>(*std::max_element(lengths.begin(), lengths.end())));
    for (int64_t i = begin; i < end; ++i) {
      const int64_t b = i / kv, head = i % kv;
      const int64_t cache = slots[static_cast<size_t>(b)] * keys.stride(0) + head * keys.stride(1);
      attend_group(q + i * group * d, group, d, k + cache, v + cache, lengths[static_cast<size_t>(b)], scores.data(),
                   to + i * group * d);
    }
  });
  return out;
}

}  // namespace wend::model::cpu
