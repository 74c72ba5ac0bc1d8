// Text to token ids and back, as a Hugging Face tokenizer.json of a byte-level BPE model says (GPT-2, Llama 3, Qwen).
//
//   Result<Tokenizer> tokenizer = Tokenizer::load("model");    // a folder, or a tokenizer.json
//   std::vector<int32_t> ids = tokenizer->encode("Set an alarm.<|im_end|>");
//
// A Tokenizer is a value that nothing changes; any number of threads may use it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/result.h"
#include "trainer/tokenizer/bpe.h"
#include "trainer/tokenizer/pre_tokenizer.h"

namespace wend::tokenizer {

// A token that is found in the text before anything is merged: <|im_end|>, <tool_call>.
struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool special = false;  // a control token: left out of what people read
  bool single_word = false, lstrip = false, rstrip = false, normalized = false;
};

// Bytes [first, second) of a text.
using ByteRange = std::pair<size_t, size_t>;

class Tokenizer {
 public:
  // Errors name the file and key; what is not supported is an error that says what is.
  static Result<Tokenizer> load(const std::string& folder_or_file);
  static Result<Tokenizer> parse(const nlohmann::ordered_json& json, const std::string& where);
  // Of parts; the pattern cuts, the merges apply, added tokens come first.
  static Result<Tokenizer> make(Bpe bpe, std::vector<AddedToken> added, std::vector<std::string> patterns, bool nfc);

  // Bytes that are no UTF-8 are read as U+FFFD. `literal`: ranges in which the names of added tokens are mere text, as
  // in what users and tools say; ascending, and not to be normalised together with their surroundings.
  std::vector<int32_t> encode(std::string_view text, std::span<const ByteRange> literal = {}) const;
  // The bytes of the tokens; those of a character whose tokens are incomplete are no UTF-8. Unknown ids are left out.
  std::string decode(std::span<const int32_t> ids, bool skip_special = false) const;
  std::string_view bytes(int32_t id) const;

  std::optional<int32_t> id_of(std::string_view token) const;  // of an added token or of a token's bytes
  bool is_special(int32_t id) const;
  // One more than the largest id.
  int32_t size() const { return size_; }

  // A tokenizer.json that `tokenizers` and `transformers` load.
  nlohmann::ordered_json json() const;
  // tokenizer.json and tokenizer_config.json in a folder; `end`: the token that ends an answer.
  Result<void> save(const std::string& folder, std::string_view end) const;

 private:
  Tokenizer(Bpe bpe, PreTokenizer pre_tokenizer) : bpe_(std::move(bpe)), pre_tokenizer_(std::move(pre_tokenizer)) {}

  struct Found {
    ByteRange at;
    const AddedToken* token = nullptr;
  };
  Found find_added(std::string_view text, size_t from, bool normalized, std::span<const ByteRange> literal) const;
  void encode_between(std::string_view text, std::vector<int32_t>& out) const;
  void encode_plain(std::string_view text, std::vector<int32_t>& out) const;
  void index();

  Bpe bpe_;
  PreTokenizer pre_tokenizer_;
  std::vector<AddedToken> added_;
  bool nfc_ = false;
  int32_t size_ = 0;
  std::vector<uint32_t> by_first_[256];  // added tokens by their first byte, longest first
  std::unordered_map<int32_t, size_t> added_by_id_;
  std::unordered_map<std::string, int32_t> id_by_bytes_;
};

// Gives out the text of tokens as they come: whole characters only.
class DecodeStream {
 public:
  explicit DecodeStream(const Tokenizer& tokenizer, bool skip_special = true)
      : tokenizer_(&tokenizer), skip_special_(skip_special) {}

  std::string feed(int32_t id);
  // What is left of a character that never became whole: U+FFFD.
  std::string flush();

 private:
  const Tokenizer* tokenizer_;
  bool skip_special_;
  std::string held_;
};

// Valid UTF-8: every byte that is part of none becomes U+FFFD, an unfinished character one of them.
std::string valid_utf8(std::string_view bytes);

}  // namespace wend::tokenizer
