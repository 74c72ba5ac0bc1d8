// The one seam between what a spec compiles to and whoever runs it.
//
// A Program is a spec ready to run: the functions and tables of wend_program (wend/wend.h), plus its description as
// values. Three things make one: the JIT and the shared objects of `wend compile --emit so` (NativeProgram over a
// wend_program) and the plan interpreter (InterpretedProgram in compiler/plan/interpreter.h).
//
//   Result<std::shared_ptr<const Program>> program = open_program("reward.so");
//   std::vector<double> params = (*program)->defaults();
//   Result<void> set = set_param((*program)->info(), params, "alpha", "0.5");
//   (*program)->prepare(context, 0, n);
//   (*program)->reward(context, 0, 0, n, totals, terms, status);
#ifndef WEND_RUNTIME_PROGRAM_H_
#define WEND_RUNTIME_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/belief.h>
#include <wend/wend.h>

#include "runtime/result.h"

namespace wend {

struct ParamInfo {
  std::string name;                        // "alpha"
  std::string qualified;                   // "iacm.reward.alpha"
  std::string type;                        // "real", "int", "bool", or the enum's name
  std::vector<std::string> labels;         // of an enum, in order; its values are indices
  double fallback = 0, low = 0, high = 0;  // low and high may be infinite
  std::string doc, place;
  bool structural = false;  // bool or enum: changing it needs prepare() again
};

struct SignalInfo {
  std::string name;           // "JGA.sum"
  uint32_t requirements = 0;  // WEND_CAP_*
};

struct MetricInfo {
  std::string name, doc, place;
  bool percent = false;
  uint32_t requirements = 0;
  std::vector<uint32_t> signals;  // the signals whose sums it reads, ascending
};

enum class TermKind : uint8_t { stop, term, clamp };

struct TermInfo {
  TermKind kind = TermKind::term;
  std::string layer, name;  // "belief", "jga"; stops: "stop"; the clamp: "", "clamp"
  std::string doc, place;   // place: "file:line"
  std::string text;         // the expression as written
  uint32_t requirements = 0;

  std::string full_name() const { return layer.empty() ? name : layer + "." + name; }
};

struct LayerInfo {
  std::string name;
  std::vector<std::string> supervises;
};

struct RewardInfo {
  std::string name, doc, place;
  std::vector<LayerInfo> layers;
  std::vector<TermInfo> terms;  // as in the outputs: stops, terms, then the clamp if there is one
  uint32_t judge_limit = 0xFFFFFFFFu;
};

struct JudgeInfo {
  std::string name;            // "acr"
  std::string system, prompt;  // templates: {0}, {1}.. stand for holes
  uint32_t holes = 0;
  uint32_t requirements = 0;
};

// How the field of a belief is kept: state_field of columns.def.
enum class FieldKind : uint8_t {
  slots,
  goal,
  stack,
  last,
  queue,
  objects,
  boolean,
  label,
  integer,
  real,
  text,
  json,
  references,
  texts,
  values
};

struct BeliefFieldInfo {
  std::string name, doc;
  FieldKind kind = FieldKind::slots;
  std::vector<std::string> labels;  // of a label
};
struct BeliefInfo {
  std::string name, doc, place;
  std::vector<BeliefFieldInfo> fields;
};

// A phrase that speaks for a label. Words are case folded, one blank between them; `*` stands for any words of the same
// sentence.
struct CueInfo {
  std::string words;
  uint32_t label = 0;
  double weight = 1;
  int64_t param = -1;  // index of the param that is the weight instead
};
struct CuesInfo {
  std::string enumeration;
  std::vector<std::string> labels;
  std::vector<CueInfo> cues;
};

// A model that may be asked for a label (WEND_EFFECT_ASK).
struct ClassifierInfo {
  std::string name, system;
  std::vector<std::string> labels;
};

struct RenderBlockInfo {
  std::string name;
  int64_t order = -1;  // place in the order of shortening, -1: never shortened
};
struct RenderInfo {
  std::string name, doc, place;
  uint32_t belief = 0;
  bool xml = true;  // each sub-block between tags of its name, all between tags of the render's; else one JSON object
  std::vector<RenderBlockInfo> blocks;
  uint32_t budget = 0;  // 0: none
  bool tokens = false;  // the budget counts tokens instead of bytes
};
// The name in a render's outer tags: ContextManager -> Context_Manager.
std::string tag_of(std::string_view render);

// What a context does before a reply, step by step (runtime/context says what each means).
enum class ContextStepKind : uint8_t {
  history_all,
  history_none,
  history_current_turn,
  history_last,
  draft,
  render,
  inject,
  update,
  instruct,
  carry,
  compress
};
// When a belief state follows the dialogue (paper, Table 10): always; anew in each turn; in the first turn alone.
enum class UpdatePolicy : uint8_t { accumulate, last_only, first_only };
struct ContextStepInfo {
  ContextStepKind kind = ContextStepKind::history_all;
  int64_t render = -1;                             // draft, render
  int64_t prompt = -1;                             // draft: the render that the policy is given, -1: none
  bool into_system = true;                         // inject: else before the last user message
  UpdatePolicy policy = UpdatePolicy::accumulate;  // update
  std::string text;    // instruct: what is said; carry: what is carried ("state", "facts", ...)
  std::string author;  // draft, carry, compress: who writes ("policy", "scorer", ...)
};
struct ContextParamInfo {
  std::string name;
  std::string type;      // "int", "real" or "bool"
  std::string fallback;  // its default as written
};
struct ContextInfo {
  std::string name, module, doc, place;
  std::vector<ContextParamInfo> params;
  std::vector<ContextStepInfo> steps;

  UpdatePolicy update() const;  // of its `update` step; accumulate without one
  Result<uint32_t> find_param(std::string_view name) const;
};

// What a program is, read from the JSON of wend_program.metadata (documented at plan::metadata).
struct ProgramInfo {
  std::string name;         // module of the spec
  std::string fingerprint;  // changes with the meaning of the code
  std::vector<ParamInfo> params;
  std::vector<SignalInfo> signals;
  std::vector<MetricInfo> metrics;
  std::vector<RewardInfo> rewards;
  std::vector<JudgeInfo> judges;
  std::vector<BeliefInfo> beliefs;
  std::vector<CuesInfo> cues;
  std::vector<ClassifierInfo> classifiers;
  std::vector<RenderInfo> renders;
  std::vector<ContextInfo> contexts;

  static Result<ProgramInfo> parse(std::string_view json);

  // Index by name.
  Result<uint32_t> find_reward(std::string_view name) const;
  Result<uint32_t> find_metric(std::string_view name) const;
  // "fifo" or "iacm.contexts.fifo".
  Result<uint32_t> find_context(std::string_view name) const;
  // By qualified name, or by its last part(s) where only one param ends so. The error suggests the nearest name.
  Result<uint32_t> find_param(std::string_view name) const;
};

// The value that `text` gives a param: "0.5", "3", "true", an enum's label. The error names the param, what was given
// and what is allowed.
Result<double> parse_param(const ParamInfo& param, std::string_view text);

// Sets one of `values` ([n_params], a program's parameter block); on error nothing changes.
Result<void> set_param(const ProgramInfo& info, std::span<double> values, std::string_view name, std::string_view text);

// The functions mean what wend_program's do. All are const and may run on any number of threads with different
// contexts (the same memo and different traces is fine).
class Program {
 public:
  virtual ~Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const ProgramInfo& info() const { return info_; }
  std::span<const double> param_defaults() const { return tables_.param_defaults; }
  std::vector<double> defaults() const { return {tables_.param_defaults.begin(), tables_.param_defaults.end()}; }
  std::span<const wend_literal> literals() const { return tables_.literals; }
  std::span<const wend_memo> memo() const { return tables_.memo; }
  std::span<const uint32_t> signal_requires() const { return tables_.signal_requires; }
  std::span<const uint32_t> term_requires() const { return tables_.term_requires; }
  // Terms of reward r are [reward_terms[r], reward_terms[r + 1]).
  std::span<const uint32_t> reward_terms() const { return tables_.reward_terms; }
  uint32_t n_terms(uint32_t reward) const { return tables_.reward_terms[reward + 1] - tables_.reward_terms[reward]; }

  virtual void requests(const wend_context& context, uint32_t begin, uint32_t end, uint8_t* asks) const = 0;
  virtual void prepare(const wend_context& context, uint32_t begin, uint32_t end) const = 0;
  virtual void signals(const wend_context& context, uint32_t begin, uint32_t end, double* out) const = 0;
  virtual void reward(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                      double* terms, uint32_t* status) const = 0;
  virtual void attribute(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                         double* terms, uint32_t* status) const = 0;
  virtual void metrics(const double* params, const double* sums, double* value, uint8_t* valid) const = 0;

  // Beliefs and renders (wend/belief.h), where the spec declares any: what wend_belief_program's functions do.
  virtual void begin(const wend_context&, const wend_engine&, uint32_t /*belief*/) const {}
  virtual void on(const wend_context&, const wend_engine&, uint32_t /*belief*/, uint32_t /*event*/) const {}
  virtual void render(const wend_context&, uint32_t /*render*/, wend_output&) const {}
  // False: there is no code for contexts.
  virtual bool context(const wend_context&, const wend_engine&, uint32_t /*context*/) const { return false; }

 protected:
  // Views of what the derived class keeps.
  struct Tables {
    std::span<const double> param_defaults;
    std::span<const wend_literal> literals;
    std::span<const wend_memo> memo;
    std::span<const uint32_t> signal_requires, term_requires, reward_terms;
  };
  Program() = default;

  ProgramInfo info_;
  Tables tables_;
};

// A program in machine code. `keep_alive` owns the code (a JIT session, an open library).
class NativeProgram final : public Program {
 public:
  // Fails where the program was made for another version of the interface, or its description cannot be read.
  static Result<std::shared_ptr<const Program>> make(const wend_program* program,
                                                     std::shared_ptr<const void> keep_alive);

  const wend_program& native() const { return *program_; }

  void requests(const wend_context& context, uint32_t begin, uint32_t end, uint8_t* asks) const override;
  void prepare(const wend_context& context, uint32_t begin, uint32_t end) const override;
  void signals(const wend_context& context, uint32_t begin, uint32_t end, double* out) const override;
  void reward(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals, double* terms,
              uint32_t* status) const override;
  void attribute(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                 double* terms, uint32_t* status) const override;
  void metrics(const double* params, const double* sums, double* value, uint8_t* valid) const override;
  void begin(const wend_context& context, const wend_engine& engine, uint32_t belief) const override;
  void on(const wend_context& context, const wend_engine& engine, uint32_t belief, uint32_t event) const override;
  void render(const wend_context& context, uint32_t render, wend_output& output) const override;
  bool context(const wend_context& context, const wend_engine& engine, uint32_t which) const override;

 private:
  NativeProgram(const wend_program* program, std::shared_ptr<const void> keep_alive, ProgramInfo info);

  const wend_program* program_;
  std::shared_ptr<const void> keep_alive_;
};

// Opens a shared object made by `wend compile --emit so`.
Result<std::shared_ptr<const Program>> open_program(const std::string& path);

}  // namespace wend

#endif  // WEND_RUNTIME_PROGRAM_H_
