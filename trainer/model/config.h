// What a decoder is: the sizes and switches of a Hugging Face config.json, for the architectures that are supported.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/result.h"

namespace wend::model {

enum class Family : uint8_t { llama, qwen2, qwen3 };

// How positions turn into angles: inverse frequencies theta^(-2i/d), changed by one of the scalings in use.
struct Rope {
  enum class Scaling : uint8_t { none, linear, llama3, yarn };

  double theta = 10000;
  Scaling scaling = Scaling::none;
  double factor = 1;
  // llama3: wavelengths between these shares of the original context are interpolated.
  double low_freq_factor = 1, high_freq_factor = 4;
  int64_t original_positions = 0;
  // yarn
  double beta_fast = 32, beta_slow = 1;
  bool truncate = true;
  double attention_factor = 1;  // scales queries and keys
};

struct Config {
  Family family = Family::qwen3;
  int64_t vocabulary = 0, hidden = 0, intermediate = 0, layers = 0;
  int64_t heads = 0, kv_heads = 0, head_size = 0;
  int64_t positions = 0;  // longest context that the model was made for
  double norm_epsilon = 1e-6;
  double init_deviation = 0.02;
  bool qkv_bias = false, output_bias = false, mlp_bias = false;
  bool qk_norm = false;          // queries and keys normalised per head
  bool tied_embeddings = false;  // the head is the embedding
  Rope rope;
  std::optional<int64_t> bos;
  std::vector<int64_t> eos;
  // config.json as it was read: keys that mean nothing here survive saving.
  nlohmann::ordered_json source;

  int64_t parameter_count() const;
};

// Errors name the file and key. What would change the result and is not supported is an error, never ignored.
Result<Config> read_config(const std::string& path);
// `where` stands for the file in errors.
Result<Config> parse_config(const nlohmann::ordered_json& json, const std::string& where);

// config.json of the model: `source` with the sizes of `config`.
nlohmann::ordered_json config_json(const Config& config);

}  // namespace wend::model
