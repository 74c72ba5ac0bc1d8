// A belief state of random content, and an engine that changes all of it with every effect: what generated code must
// not keep from before an effect is not there any more.
#ifndef WEND_TESTS_UNIT_CODEGEN_FAKE_STATE_H_
#define WEND_TESTS_UNIT_CODEGEN_FAKE_STATE_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "runtime/program.h"

namespace wend::test {

class FakeState {
 public:
  static constexpr uint32_t kRows = 24;  // of every table: any row is one of any table

  FakeState(const Program& program, uint32_t seed) : random_(seed), params_(program.defaults()) {
    rows_.fill(kRows);
    make_texts(program);
    context_.batch = &batch_;
    context_.params = params_.data();
    context_.literals = literals_.data();
    change();
  }
  FakeState(const FakeState&) = delete;
  FakeState& operator=(const FakeState&) = delete;

  const wend_context& context() const { return context_; }
  wend_engine engine() { return {this, &FakeState::apply}; }

  struct Asked {
    uint32_t effect, field;
    uint64_t a, b, c;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  std::vector<Asked> trace;

 private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  static uint64_t apply(void* state, uint32_t effect, uint32_t field, uint64_t a, uint64_t b, uint64_t c) {
    auto& self = *static_cast<FakeState*>(state);
    self.trace.push_back({effect, field, a, b, c});
    self.change();
    switch (effect) {
      case WEND_EFFECT_CLASSIFY:
        return self.pick(3);
      case WEND_EFFECT_ASK:
        return self.pick(2) == 0 ? WEND_NONE : self.pick(3);
      case WEND_EFFECT_CONFIDENCE:
        return std::bit_cast<uint64_t>(self.pick(11) / 10.0);
      case WEND_EFFECT_MENTIONED:
      case WEND_EFFECT_RESOLVED:
        return self.pick(kRows - 4) | uint64_t{self.pick(4)} << 32;
      default:
        return self.pick(kRows);
    }
  }

  std::string random_text() {
    static constexpr const char* kParts[] = {"a",  "book", " ",    "\"", "\\",   "<",     ">",    "&",
                                             "\n", "\t",   "\x01", "\b", "7",    "é",     "漢",   "😀",
                                             "_",  ".",    "{",    "}",  "café", "hotel", "name", "x"};
    const bool plain = pick(3) != 0;
    std::string text;
    const size_t size = pick(8) == 0 ? pick(400) : pick(40);
    while (text.size() < size) text += kParts[plain ? (pick(2) == 0 ? 0 : 17 + pick(7)) : pick(std::size(kParts))];
    return text;
  }

  void make_texts(const Program& program) {
    texts_ = {
        "", "null", "true", "-12", "0.5", R"(["a<b","long enough to be cut \" here",{"k":"漢字"}])", R"({"key":"v"})"};
    while (texts_.size() < kRows) texts_.push_back(random_text());
    for (const wend_literal& literal : program.literals()) {
      literals_.push_back(literal.kind == 0 ? static_cast<uint32_t>(texts_.size()) : 0);
      texts_.emplace_back(literal.text.data, literal.text.size);
    }
    rows_[WEND_TABLE_text] = static_cast<uint32_t>(texts_.size());
  }

  // New arrays with new content; what the old ones held is spoilt first.
  void change() {
    for (uint32_t column = 0; column < WEND_N_COLUMNS; ++column) {
      if (arrays_[column]) std::memset(arrays_[column].get(), 0x5A, sizes_[column]);
    }
#define WEND_COLUMN(table, name, ctype) \
  fill(WEND_TABLE_##table, WEND_COLUMN_##table##_##name, static_cast<const ctype*>(nullptr));
#include <wend/columns.def>
    for (uint32_t column = 0; column < WEND_N_COLUMNS; ++column) starts_[column] = arrays_[column].get();
  }

  template <class T>
  void fill(uint32_t table, uint32_t column, const T*) {
    sizes_[column] = rows_[table] * sizeof(T);
    auto fresh = std::make_unique<char[]>(sizes_[column] + 1);
    for (uint32_t row = 0; row < rows_[table]; ++row) {
      T value = content(column, row, static_cast<const T*>(nullptr));
      std::memcpy(fresh.get() + row * sizeof(T), &value, sizeof(T));
    }
    arrays_[column] = std::move(fresh);
  }

  uint32_t content(uint32_t column, uint32_t row, const uint32_t*) {
    static constexpr uint32_t kOptional[] = {
        WEND_COLUMN_goal_text,        WEND_COLUMN_action_result, WEND_COLUMN_question_tool, WEND_COLUMN_question_param,
        WEND_COLUMN_state_slot_value, WEND_COLUMN_object_result, WEND_COLUMN_result_call,   WEND_COLUMN_result_text,
        WEND_COLUMN_result_value,     WEND_COLUMN_reply_text};
    if (column == WEND_COLUMN_state_field_label) return pick(3);
    if (column == WEND_COLUMN_value_text) return row < 7 ? row : 7 + pick(kRows - 7);
    const bool optional = std::find(std::begin(kOptional), std::end(kOptional), column) != std::end(kOptional);
    return optional && pick(4) == 0 ? WEND_NONE : pick(kRows);
  }
  uint8_t content(uint32_t column, uint32_t row, const uint8_t*) {
    static constexpr uint8_t kTypes[] = {WEND_JSON_TEXT, WEND_JSON_NULL, WEND_JSON_BOOL,  WEND_JSON_INT,
                                         WEND_JSON_REAL, WEND_JSON_LIST, WEND_JSON_OBJECT};
    if (column == WEND_COLUMN_value_type) return row < 7 ? kTypes[row] : uint8_t{WEND_JSON_TEXT};
    return static_cast<uint8_t>(pick(2));
  }
  int64_t content(uint32_t, uint32_t, const int64_t*) { return int64_t{pick(7)} - 3; }
  uint64_t content(uint32_t, uint32_t, const uint64_t*) { return random_(); }
  double content(uint32_t, uint32_t, const double*) { return pick(9) / 8.0; }
  wend_span content(uint32_t, uint32_t, const wend_span*) {
    const uint32_t begin = pick(kRows - 4);
    return {begin, begin + pick(5)};
  }
  wend_bytes content(uint32_t, uint32_t row, const wend_bytes*) { return {texts_[row].data(), texts_[row].size()}; }

  std::mt19937 random_;
  std::vector<double> params_;
  std::vector<uint32_t> literals_;
  std::vector<std::string> texts_;
  std::array<std::unique_ptr<char[]>, WEND_N_COLUMNS> arrays_;
  std::array<size_t, WEND_N_COLUMNS> sizes_{};
  std::array<const void*, WEND_N_COLUMNS> starts_{};
  std::array<uint32_t, WEND_N_TABLES> rows_{};
  wend_batch batch_{WEND_BATCH_VERSION, WEND_N_COLUMNS, starts_.data(), rows_.data()};
  wend_context context_{};
};

}  // namespace wend::test

#endif  // WEND_TESTS_UNIT_CODEGEN_FAKE_STATE_H_
