// tokenizer.json, read and written.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "runtime/data/byte_source.h"
#include "runtime/data/replaced_file.h"
#include "trainer/tokenizer/tokenizer.h"

namespace wend::tokenizer {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMostIds = 1 << 24;

const Json& member(const Json& object, const char* key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}
std::string text_of(const Json& json) { return json.is_string() ? json.get<std::string>() : ""; }
bool is_id(const Json& json) {
  return json.is_number_integer() && json.get<int64_t>() >= 0 && json.get<int64_t>() < kMostIds;
}
bool flag(const Json& object, const char* key) { return member(object, key) == true; }

// Reads the parts; the first thing that is wrong ends it.
class Reader {
 public:
  explicit Reader(std::string where) : where_(std::move(where)) {}

  Result<Tokenizer> read(const Json& json) {
    const Json& model = member(json, "model");
    if (text_of(member(model, "type")) != "BPE") {
      return wrong("model.type", fmt::format("is {}; supported is BPE", member(model, "type").dump()));
    }
    for (const char* key : {"byte_fallback", "fuse_unk"}) {
      if (flag(model, key)) return wrong(std::string("model.") + key, "is true, which is not supported");
    }
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      if (!text_of(member(model, key)).empty()) return wrong(std::string("model.") + key, "is not supported");
    }
    Result<std::vector<AddedToken>> added = read_added(member(json, "added_tokens"));
    if (!added) return added.error();
    Result<Bpe> bpe = read_bpe(model, *added);
    if (!bpe) return bpe.error();
    bool nfc = false;
    if (Result<void> read = read_normalizer(member(json, "normalizer"), nfc); !read) return read.error();
    std::vector<std::string> patterns;
    if (Result<void> read = read_pre_tokenizer(member(json, "pre_tokenizer"), patterns); !read) return read.error();
    Result<Tokenizer> out = Tokenizer::make(std::move(*bpe), std::move(*added), std::move(patterns), nfc);
    return out ? std::move(out) : wrong("pre_tokenizer", out.error().message);
  }

 private:
  Error wrong(const std::string& key, const std::string& what) const {
    return Error{fmt::format("{}: `{}`: {}", where_, key, what)};
  }

  Result<std::vector<AddedToken>> read_added(const Json& list) const {
    std::vector<AddedToken> out;
    for (const Json& entry : list.is_array() ? list : Json::array()) {
      AddedToken token;
      token.content = text_of(member(entry, "content"));
      const Json& id = member(entry, "id");
      const std::string key = fmt::format("added_tokens[{}]", out.size());
      if (token.content.empty()) return wrong(key, "has no content");
      if (!is_id(id)) return wrong(key + ".id", "is no id");
      token.id = id.get<int32_t>();
      token.special = flag(entry, "special");
      token.single_word = flag(entry, "single_word");
      token.lstrip = flag(entry, "lstrip");
      token.rstrip = flag(entry, "rstrip");
      token.normalized = flag(entry, "normalized");
      out.push_back(std::move(token));
    }
    return out;
  }

  Result<Bpe> read_bpe(const Json& model, const std::vector<AddedToken>& added) const {
    const Json& vocab = member(model, "vocab");
    if (!vocab.is_object() || vocab.empty()) return wrong("model.vocab", "is missing or empty");
    std::vector<std::string> tokens;
    std::unordered_map<std::string, int32_t> ids;  // as they are written
    std::vector<bool> taken;
    for (const auto& [text, id] : vocab.items()) {
      if (!is_id(id)) {
        return wrong("model.vocab." + text, fmt::format("{} is no id", id.dump()));
      }
      const auto at = id.get<size_t>();
      if (at >= tokens.size()) {
        tokens.resize(at + 1);
        taken.resize(at + 1);
      }
      if (taken[at]) return wrong("model.vocab." + text, fmt::format("the id {} is another token's as well", at));
      taken[at] = true;
      // Added tokens that stand in the vocabulary are written as they are; merges never make them.
      const bool is_added =
          std::any_of(added.begin(), added.end(), [&](const AddedToken& a) { return a.content == text; });
      if (!is_added && !bytes_of_printable(text, tokens[at])) {
        return wrong("model.vocab." + text, "is no byte-level token");
      }
      ids[text] = static_cast<int32_t>(at);
    }
    Result<std::vector<Bpe::Merge>> merges = read_merges(member(model, "merges"), ids);
    if (!merges) return merges.error();
    Result<Bpe> out = Bpe::make(std::move(tokens), std::move(*merges), flag(model, "ignore_merges"));
    return out ? std::move(out) : wrong("model.vocab", out.error().message);
  }

  // "a b", or ["a", "b"] as newer files have it.
  Result<std::vector<Bpe::Merge>> read_merges(const Json& list,
                                              const std::unordered_map<std::string, int32_t>& ids) const {
    if (!list.is_array()) return wrong("model.merges", "is missing or no list");
    std::vector<Bpe::Merge> out;
    for (const Json& entry : list) {
      const std::string key = fmt::format("model.merges[{}]", out.size());
      std::string left, right;
      if (entry.is_array() && entry.size() == 2) {
        left = text_of(entry[0]);
        right = text_of(entry[1]);
      } else if (entry.is_string()) {
        const auto text = entry.get<std::string>();
        const size_t space = text.find(' ');
        if (space != std::string::npos) {
          left = text.substr(0, space);
          right = text.substr(space + 1);
        }
      }
      if (left.empty() || right.empty()) return wrong(key, fmt::format("{} is no pair of tokens", entry.dump()));
      int32_t of[3] = {};
      int i = 0;
      for (const std::string& token : {left, right, left + right}) {
        const auto found = ids.find(token);
        if (found == ids.end()) return wrong(key, fmt::format("the token `{}` is not in the vocabulary", token));
        of[i++] = found->second;
      }
      out.push_back({of[0], of[1], of[2]});
    }
    return out;
  }

  Result<void> read_normalizer(const Json& json, bool& nfc) const {
    const std::string type = text_of(member(json, "type"));
    if (json.is_null()) return {};
    if (type == "NFC") {
      nfc = true;
      return {};
    }
    if (type == "Sequence") {
      for (const Json& one : member(json, "normalizers")) {
        if (Result<void> read = read_normalizer(one, nfc); !read) return read;
      }
      return {};
    }
    return wrong("normalizer.type", fmt::format("is `{}`; supported are NFC and none", type));
  }

  Result<void> read_pre_tokenizer(const Json& json, std::vector<std::string>& patterns) const {
    const std::string type = text_of(member(json, "type"));
    if (type == "Sequence") {
      for (const Json& one : member(json, "pretokenizers")) {
        if (Result<void> read = read_pre_tokenizer(one, patterns); !read) return read;
      }
      return {};
    }
    if (type == "ByteLevel") {
      if (flag(json, "add_prefix_space")) return wrong("pre_tokenizer.add_prefix_space", "is not supported");
      if (member(json, "use_regex") != false) patterns.emplace_back(kGpt2Pattern);
      return {};
    }
    if (type == "Split") {
      const std::string pattern = text_of(member(member(json, "pattern"), "Regex"));
      if (pattern.empty()) return wrong("pre_tokenizer.pattern", "supported is a Regex");
      if (text_of(member(json, "behavior")) != "Isolated" || flag(json, "invert")) {
        return wrong("pre_tokenizer.behavior", "supported is Isolated, not inverted");
      }
      patterns.push_back(pattern);
      return {};
    }
    return wrong("pre_tokenizer.type",
                 fmt::format("is `{}`; supported are ByteLevel, Split and sequences of them", type));
  }

  std::string where_;
};

Json added_json(const AddedToken& token) {
  return {{"id", token.id},          {"content", token.content}, {"single_word", token.single_word},
          {"lstrip", token.lstrip},  {"rstrip", token.rstrip},   {"normalized", token.normalized},
          {"special", token.special}};
}

}  // namespace

Result<Tokenizer> Tokenizer::make(Bpe bpe, std::vector<AddedToken> added, std::vector<std::string> patterns, bool nfc) {
  std::vector<Pattern> compiled;
  for (const std::string& pattern : patterns) {
    Result<Pattern> one = Pattern::compile(pattern);
    if (!one) return one.error();
    compiled.push_back(std::move(*one));
  }
  Tokenizer out(std::move(bpe), PreTokenizer(std::move(compiled)));
  out.added_ = std::move(added);
  out.nfc_ = nfc;
  out.index();
  return out;
}

Result<Tokenizer> Tokenizer::parse(const Json& json, const std::string& where) { return Reader(where).read(json); }

Result<Tokenizer> Tokenizer::load(const std::string& folder_or_file) {
  std::string path = folder_or_file;
  if (std::filesystem::is_directory(path)) path = (std::filesystem::path(path) / "tokenizer.json").string();
  Result<std::string> text = read_whole_file(path);
  if (!text) return text.error();
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object()) return Error{path + ": is no JSON object"};
  return parse(json, path);
}

Json Tokenizer::json() const {
  Json vocab = Json::object(), merges = Json::array(), added = Json::array(), pre = Json::array();
  for (size_t id = 0; id < bpe_.tokens().size(); ++id) {
    const auto is_added = added_by_id_.find(static_cast<int32_t>(id));
    if (is_added != added_by_id_.end()) {
      vocab[added_[is_added->second].content] = id;
    } else if (!bpe_.tokens()[id].empty()) {
      vocab[printable(bpe_.tokens()[id])] = id;
    }
  }
  const auto written = [&](int32_t id) { return printable(bpe_.tokens()[static_cast<size_t>(id)]); };
  for (const Bpe::Merge& merge : bpe_.merges()) merges.push_back({written(merge.left), written(merge.right)});
  for (const AddedToken& token : added_) added.push_back(added_json(token));
  for (const Pattern& pattern : pre_tokenizer_.patterns()) {
    pre.push_back({{"type", "Split"},
                   {"pattern", {{"Regex", pattern.expression()}}},
                   {"behavior", "Isolated"},
                   {"invert", false}});
  }
  const Json byte_level = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", false}};
  pre.push_back(byte_level);
  return {{"version", "1.0"},
          {"truncation", nullptr},
          {"padding", nullptr},
          {"added_tokens", added},
          {"normalizer", nfc_ ? Json{{"type", "NFC"}} : Json()},
          {"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", pre}}},
          {"post_processor", byte_level},
          {"decoder", byte_level},
          {"model",
           {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", nullptr},
            {"continuing_subword_prefix", ""},
            {"end_of_word_suffix", ""},
            {"fuse_unk", false},
            {"byte_fallback", false},
            {"ignore_merges", bpe_.ignore_merges()},
            {"vocab", vocab},
            {"merges", merges}}}};
}

Result<void> Tokenizer::save(const std::string& folder, std::string_view end) const {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{fmt::format("{}: {}", folder, failed.message())};
  if (Result<void> done = replace_file(folder + "/tokenizer.json", json().dump(1) + "\n"); !done) return done;
  const Json config = {{"tokenizer_class", "PreTrainedTokenizerFast"},
                       {"clean_up_tokenization_spaces", false},
                       {"eos_token", end},
                       {"pad_token", end}};
  return replace_file(folder + "/tokenizer_config.json", config.dump(1) + "\n");
}

}  // namespace wend::tokenizer
