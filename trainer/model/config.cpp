#include "trainer/model/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string_view>

#include "runtime/data/byte_source.h"

namespace wend::model {
namespace {

using Json = nlohmann::ordered_json;

struct FamilyInfo {
  std::string_view architecture, model_type;
};
constexpr FamilyInfo kFamilies[] = {
    {"LlamaForCausalLM", "llama"}, {"Qwen2ForCausalLM", "qwen2"}, {"Qwen3ForCausalLM", "qwen3"}};

constexpr int64_t kMostOfAnything = int64_t{1} << 32;  // no size of a model is larger

// Values of one object, with the first thing that is wrong about them.
class Keys {
 public:
  Keys(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  const Json* find(std::string_view key) const {
    const auto found = json_.find(std::string(key));
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }

  int64_t size(std::string_view key, int64_t otherwise = 0) {
    const Json* value = find(key);
    if (value == nullptr) {
      if (otherwise == 0) fail(key, "is missing");
      return otherwise;
    }
    const int64_t n = value->is_number_integer() ? value->get<int64_t>() : 0;
    if (n < 1 || n > kMostOfAnything) fail(key, fmt::format("is {}, which is no size", value->dump()));
    return n;
  }

  double number(std::string_view key, double otherwise) {
    const Json* value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_number()) fail(key, fmt::format("is {}, which is no number", value->dump()));
    return value->is_number() ? value->get<double>() : otherwise;
  }

  bool flag(std::string_view key, bool otherwise) {
    const Json* value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_boolean()) fail(key, fmt::format("is {}, neither true nor false", value->dump()));
    return value->is_boolean() ? value->get<bool>() : otherwise;
  }

  std::string text(std::string_view key, std::string otherwise) {
    const Json* value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_string()) fail(key, fmt::format("is {}, which is no text", value->dump()));
    return value->is_string() ? value->get<std::string>() : otherwise;
  }

  void fail(std::string_view key, std::string_view what) {
    if (!error_) error_ = Error{fmt::format("{}: `{}` {}", where_, key, what)};
  }
  // The failure of a nested object is one of this.
  void take(const Keys& nested) {
    if (!error_) error_ = nested.error_;
  }
  const std::optional<Error>& error() const { return error_; }
  const std::string& where() const { return where_; }

 private:
  const Json& json_;
  std::string where_;
  std::optional<Error> error_;
};

Result<Family> family_of(const Json& json, const std::string& where) {
  const Json architectures = json.value("architectures", Json());
  const std::string said = architectures.is_array() && !architectures.empty() && architectures[0].is_string()
                               ? architectures[0].get<std::string>()
                               : "";
  for (size_t i = 0; i < std::size(kFamilies); ++i) {
    if (kFamilies[i].architecture == said) return static_cast<Family>(i);
  }
  const Json type = json.value("model_type", Json());
  for (size_t i = 0; i < std::size(kFamilies); ++i) {
    if (said.empty() && type == std::string(kFamilies[i].model_type)) return static_cast<Family>(i);
  }
  std::vector<std::string_view> known;
  for (const FamilyInfo& family : kFamilies) known.push_back(family.architecture);
  return Error{fmt::format("{}: architecture {} is not supported; supported are {}", where,
                           said.empty() ? type.dump() : "`" + said + "`", fmt::join(known, ", "))};
}

// "rope_scaling" beside "rope_theta", or both in "rope_parameters", as newer files have them.
void read_rope(Keys& keys, Config& config) {
  Rope& rope = config.rope;
  rope.theta = keys.number("rope_theta", rope.theta);
  std::string_view at = "rope_parameters";
  const Json* scaling = keys.find(at);
  if (scaling == nullptr) scaling = keys.find(at = "rope_scaling");
  if (scaling == nullptr) return;
  if (!scaling->is_object()) return keys.fail(at, "is no object");
  Keys inner(*scaling, fmt::format("{}: {}", keys.where(), at));
  rope.theta = inner.number("rope_theta", rope.theta);
  const std::string type = inner.text("rope_type", inner.text("type", "default"));
  rope.factor = inner.number("factor", 1);
  rope.original_positions =
      static_cast<int64_t>(inner.number("original_max_position_embeddings", static_cast<double>(config.positions)));
  if (type == "linear") {
    rope.scaling = Rope::Scaling::linear;
  } else if (type == "llama3") {
    rope.scaling = Rope::Scaling::llama3;
    rope.low_freq_factor = inner.number("low_freq_factor", rope.low_freq_factor);
    rope.high_freq_factor = inner.number("high_freq_factor", rope.high_freq_factor);
    if (!(rope.high_freq_factor > rope.low_freq_factor)) {
      inner.fail("high_freq_factor", "is not above low_freq_factor");
    }
  } else if (type == "yarn") {
    rope.scaling = Rope::Scaling::yarn;
    rope.beta_fast = inner.number("beta_fast", rope.beta_fast);
    rope.beta_slow = inner.number("beta_slow", rope.beta_slow);
    rope.truncate = inner.flag("truncate", rope.truncate);
    rope.attention_factor = inner.number("attention_factor", rope.factor <= 1 ? 1 : 0.1 * std::log(rope.factor) + 1);
    if (inner.find("mscale") != nullptr) inner.fail("mscale", "is not supported");
  } else if (type != "default") {
    inner.fail("rope_type", fmt::format("is `{}`; supported are default, linear, llama3 and yarn", type));
  }
  if (!(rope.factor > 0)) inner.fail("factor", "is not positive");
  if (inner.number("partial_rotary_factor", 1) != 1) inner.fail("partial_rotary_factor", "is not supported");
  keys.take(inner);
}

void read_ends(Keys& keys, Config& config) {
  if (const Json* bos = keys.find("bos_token_id"); bos != nullptr && bos->is_number_integer()) {
    config.bos = bos->get<int64_t>();
  }
  const Json* eos = keys.find("eos_token_id");
  if (eos == nullptr) return;
  for (const Json& id : eos->is_array() ? *eos : Json::array({*eos})) {
    if (id.is_number_integer()) config.eos.push_back(id.get<int64_t>());
  }
}

void check(Keys& keys, const Config& config) {
  if (config.heads % std::max<int64_t>(config.kv_heads, 1) != 0) {
    keys.fail("num_key_value_heads",
              fmt::format("is {}, which does not divide the {} heads", config.kv_heads, config.heads));
  }
  if (config.head_size % 2 != 0) keys.fail("head_dim", fmt::format("is {}, which is odd", config.head_size));
  if (!(config.rope.theta > 0)) keys.fail("rope_theta", "is not positive");
  if (const std::string act = keys.text("hidden_act", "silu"); act != "silu") {
    keys.fail("hidden_act", fmt::format("is `{}`; supported is silu", act));
  }
  if (keys.flag("use_sliding_window", false)) keys.fail("use_sliding_window", "is true, which is not supported");
  if (keys.find("quantization_config") != nullptr) keys.fail("quantization_config", "is not supported");
}

}  // namespace

int64_t Config::parameter_count() const {
  const int64_t q = heads * head_size, kv = kv_heads * head_size;
  int64_t layer = hidden * (q + 2 * kv) + q * hidden + 3 * hidden * intermediate + 2 * hidden;
  if (qkv_bias) layer += q + 2 * kv;
  if (output_bias) layer += hidden;
  if (mlp_bias) layer += 2 * intermediate + hidden;
  if (qk_norm) layer += 2 * head_size;
  return layers * layer + hidden + vocabulary * hidden * (tied_embeddings ? 1 : 2);
}

Result<Config> parse_config(const Json& json, const std::string& where) {
  if (!json.is_object()) return Error{where + ": is no JSON object"};
  Result<Family> family = family_of(json, where);
  if (!family) return family.error();
  Config out;
  out.family = *family;
  out.source = json;
  Keys keys(json, where);
  out.vocabulary = keys.size("vocab_size");
  out.hidden = keys.size("hidden_size");
  out.intermediate = keys.size("intermediate_size");
  out.layers = keys.size("num_hidden_layers");
  out.heads = keys.size("num_attention_heads");
  if (keys.error()) return *keys.error();
  out.kv_heads = keys.size("num_key_value_heads", out.heads);
  out.head_size = keys.size("head_dim", *family == Family::qwen3 ? 128 : std::max<int64_t>(1, out.hidden / out.heads));
  out.positions = keys.size("max_position_embeddings", 2048);
  out.norm_epsilon = keys.number("rms_norm_eps", 1e-6);
  out.init_deviation = keys.number("initializer_range", 0.02);
  out.tied_embeddings = keys.flag("tie_word_embeddings", false);
  const bool attention_bias = keys.flag("attention_bias", false);
  out.qkv_bias = *family == Family::qwen2 || attention_bias;
  out.output_bias = *family != Family::qwen2 && attention_bias;
  out.mlp_bias = *family == Family::llama && keys.flag("mlp_bias", false);
  out.qk_norm = *family == Family::qwen3;
  read_rope(keys, out);
  read_ends(keys, out);
  check(keys, out);
  if (keys.error()) return *keys.error();
  return out;
}

Result<Config> read_config(const std::string& path) {
  Result<std::string> text = read_whole_file(path);
  if (!text) return text.error();
  const Json json = Json::parse(*text, nullptr, false);
  if (json.is_discarded()) return Error{path + ": is no JSON"};
  return parse_config(json, path);
}

nlohmann::ordered_json config_json(const Config& config) {
  Json out = config.source.is_object() ? config.source : Json::object();
  const FamilyInfo& family = kFamilies[static_cast<size_t>(config.family)];
  out["architectures"] = {family.architecture};
  out["model_type"] = family.model_type;
  out["vocab_size"] = config.vocabulary;
  out["hidden_size"] = config.hidden;
  out["intermediate_size"] = config.intermediate;
  out["num_hidden_layers"] = config.layers;
  out["num_attention_heads"] = config.heads;
  out["num_key_value_heads"] = config.kv_heads;
  out["head_dim"] = config.head_size;
  out["max_position_embeddings"] = config.positions;
  out["rms_norm_eps"] = config.norm_epsilon;
  out["initializer_range"] = config.init_deviation;
  out["tie_word_embeddings"] = config.tied_embeddings;
  out["hidden_act"] = "silu";
  if (!out.contains("rope_parameters")) out["rope_theta"] = config.rope.theta;
  if (config.bos) out["bos_token_id"] = *config.bos;
  if (config.eos.size() == 1) out["eos_token_id"] = config.eos[0];
  if (config.eos.size() > 1) out["eos_token_id"] = config.eos;
  return out;
}

}  // namespace wend::model
