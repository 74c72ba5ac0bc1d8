// `wend synth`: dialogues of scenarios, with what is expected in them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/files.h"
#include "compiler/driver/json_files.h"
#include "compiler/driver/judging.h"
#include "compiler/driver/made.h"
#include "compiler/driver/options.h"
#include "compiler/driver/synth_job.h"
#include "compiler/driver/synth_preview.h"
#include "compiler/driver/tool_pool.h"
#include "compiler/sema/check.h"
#include "compiler/source/diagnostic.h"
#include "compiler/synth/scenario.h"
#include "runtime/data/digest.h"

namespace wend::driver {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct SynthOptions {
  std::string spec, out, talk, mix = "paper", single_mix, split, level = "L0", length, format = "native", preview,
                               writer = "grammar", responses;
  JudgeOptions server;
  PoolOptions pool;
  std::vector<std::string> ood;
  uint64_t count = 1000, single_step = 0, seed = 1, shard = 100000;
  double typos = 0.03;
  unsigned threads = 0;
  uint32_t tries = 200;
  bool quiet = false, restart = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend synth specs/iacm/scenarios.wend --count 5000 --out data      train, valid, test-id and test-ood, and a manifest
  wend synth scenarios.wend --split train=5639,valid=753 --out data
  wend synth scenarios.wend --preview task_modification             one dialogue, with what is expected of the agent
  wend synth scenarios.wend --tools my-tools.jsonl --count 100 --out data
  wend synth scenarios.wend --mix mix.json --single-step 2000 --out data     mix.json: {"scenario": weight, ...}
The same seed gives the same bytes, with any number of threads. A run that was interrupted goes on where it ended.
Exit codes: 0 fine, 1 a file had errors, or a scenario makes no dialogue, 2 usage.)";

// A spec that is checked, with the texts that its places refer to.
struct Loaded {
  SourceSet sources;
  sema::Program program;
};

Made<Loaded> load(const std::string& path, bool runs) {
  Loaded out;
  Diagnostics diagnostics;
  sema::Checked checked = sema::check_files(out.sources, {path}, sema::SearchPath::standard(), diagnostics);
  if (!diagnostics.has_errors() && runs) synth::check_scenarios(checked.program, diagnostics);
  if (diagnostics.has_errors()) {
    const std::string text = render_text(diagnostics, out.sources, color_on_stderr());
    std::fwrite(text.data(), 1, text.size(), stderr);
    return Failure{Exit::input};
  }
  out.program = std::move(checked.program);
  return out;
}

// ---- what is asked for ----

struct SplitCount {
  std::string name;
  uint64_t count = 0;
};

const std::vector<std::string>& splits() {
  static const std::vector<std::string> names = {"train", "valid", "test-id", "test-ood"};
  return names;
}

// "train=800,test-ood=10%": numbers of dialogues, or shares of --count.
Result<std::vector<SplitCount>> read_split(const std::string& text, uint64_t count) {
  std::vector<SplitCount> out;
  if (text.empty()) {
    const std::vector<uint64_t> parts = synth::apportion(count, {80, 5, 7.5, 7.5});
    for (size_t i = 0; i < parts.size(); ++i) out.push_back({splits()[i], parts[i]});
    return out;
  }
  for (const std::string& part : CLI::detail::split(text, ',')) {
    const size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    if (std::find(splits().begin(), splits().end(), name) == splits().end()) {
      const std::string near = nearest(name, splits());
      return Error{fmt::format(
          "--split: there is no split `{}`{}", name,
          near.empty() ? "; known: train, valid, test-id, test-ood" : fmt::format("; did you mean `{}`?", near))};
    }
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const std::string_view rest(end, static_cast<size_t>(value.data() + value.size() - end));
    if (error != std::errc() || number < 0 || number > 1e12 || (!rest.empty() && rest != "%"))
      return Error{fmt::format("--split: `{}` is no number of dialogues and no share; write `{}=800` or `{}=80%`", part,
                               name, name)};
    const double dialogues = rest == "%" ? number / 100 * static_cast<double>(count) : number;
    out.push_back({name, static_cast<uint64_t>(std::llround(dialogues))});
  }
  return out;
}

// Weights by scenario.
Result<std::vector<double>> read_mix(const std::string& mix, const sema::Program& program) {
  std::vector<double> weights(program.scenarios.size(), 0);
  if (mix == "paper" || mix == "uniform") {
    bool shared = false;
    for (size_t i = 0; i < weights.size(); ++i) {
      weights[i] = mix == "uniform" ? 1 : program.scenarios[i].share;
      shared = shared || weights[i] > 0;
    }
    if (!shared) std::fill(weights.begin(), weights.end(), 1.0);  // no scenario says its share
    return weights;
  }
  const Result<Json> document = read_json_file(mix);
  if (!document) return document.error();
  if (!document->is_object()) return Error{mix + ": a mix is an object: {\"scenario\": weight, ...}"};
  std::vector<std::string> names;
  names.reserve(program.scenarios.size());
  for (const sema::Scenario& s : program.scenarios) names.push_back(s.name);
  double sum = 0;
  for (const auto& [name, value] : document->items()) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      const std::string near = nearest(name, names);
      return Error{fmt::format("{}: there is no scenario `{}`{}", mix, name,
                               near.empty() ? "" : fmt::format("; did you mean `{}`?", near))};
    }
    if (!value.is_number() || value.get<double>() < 0)
      return Error{fmt::format("{}: the weight of `{}` is no number from 0 on", mix, name)};
    weights[static_cast<size_t>(at - names.begin())] = value.get<double>();
    sum += value.get<double>();
  }
  if (sum <= 0) return Error{mix + ": all weights are 0"};
  return weights;
}

Result<void> read_length(const std::string& length, synth::DialogueOptions& out) {
  if (length.empty()) return {};
  static const std::map<std::string, std::pair<size_t, size_t>> buckets = {
      {"5k", {0, 5000}}, {"5k-11k", {5000, 11000}}, {"11k-16k", {11000, 16000}}, {"16k", {16000, 0}}};
  const auto at = buckets.find(length);
  if (at == buckets.end())
    return Error{fmt::format("--length: `{}` is none of 5k (up to), 5k-11k, 11k-16k, 16k (from)", length)};
  std::tie(out.min_tokens, out.max_tokens) = at->second;
  return {};
}

// ---- the run ----

// What decides the bytes of the files; a folder holds one such run.
Json job_of(const SynthOptions& options, const std::string& spec_hash, const std::vector<SplitCount>& counts) {
  Json splits = Json::object();
  for (const SplitCount& split : counts) splits[split.name] = split.count;
  return {{"spec", options.spec},
          {"spec_sha256", spec_hash},
          {"seed", options.seed},
          {"mix", options.mix},
          {"single_mix", options.single_mix},
          {"splits", splits},
          {"single_step", options.single_step},
          {"level", options.level},
          {"length", options.length},
          {"typos", options.typos},
          {"writer", options.writer == "http" ? options.server.model : options.writer},
          {"responses", options.responses},
          {"format", options.format},
          {"shard", options.shard}};
}

// The texts of the spec and all that it uses, the phrases and the tools.
std::string hash_of(const Loaded& spec, const Loaded& talk, const tools::Pool& pool) {
  std::string all;
  for (const Loaded* one : {&spec, &talk})
    for (uint32_t f = 0; f < one->sources.size(); ++f) all += one->sources.file(f).text + '\0';
  for (const tools::PoolTool& tool : pool.tools()) all += tool.shown + tool.source + '\0';
  return sha256(all);
}

class Run {
 public:
  Run(const SynthOptions& options, const Loaded& spec, const Loaded& talk, const tools::Pool& pool,
      const synth::Maker& maker, synth::Rewriter* rewriter)
      : options_(options), spec_(spec), talk_(talk), pool_(pool), maker_(maker), rewriter_(rewriter) {
    const PoolSplit split = split_pool(pool, options.ood);
    in_ = tools::select(pool, maker.graph(), split.in);
    out_ = tools::select(pool, maker.graph(), split.out);
    dialogue_.seed = options.seed;
    dialogue_.typos = options.typos;
    dialogue_.tries = options.tries;
  }

  Exit write_all() {
    const Result<std::vector<SplitCount>> counts = read_split(options_.split, options_.count);
    if (!counts) return complain(Exit::usage, counts.error().message);
    const Result<std::vector<double>> mix = read_mix(options_.mix, spec_.program);
    if (!mix) return complain(Exit::input, mix.error().message);
    const Result<std::vector<double>> single =
        read_mix(options_.single_mix.empty() ? options_.mix : options_.single_mix, spec_.program);
    if (!single) return complain(Exit::input, single.error().message);
    const Exit read = read_options();
    if (read != Exit::fine) return read;
    const Json job = job_of(options_, hash_of(spec_, talk_, pool_), *counts);
    const Result<void> opened = open_folder(job);
    if (!opened) return complain(Exit::input, opened.error().message);
    Json files = Json::array();
    for (const SplitCount& split : *counts) {
      const tools::Selection& from = split.name == "test-ood" ? out_ : in_;
      if (split.count > 0 && from.tools.empty()) {
        warn(fmt::format("{}: no tool is out of distribution; --ood names their sources", split.name));
        continue;
      }
      const Exit written = write_one(split.name, from, false, synth::apportion(split.count, *mix), files);
      if (written != Exit::fine) return written;
    }
    if (options_.single_step > 0) {
      const Exit written = write_one("single-step", in_, true, synth::apportion(options_.single_step, *single), files);
      if (written != Exit::fine) return written;
    }
    return write_manifest(job, std::move(files));
  }

  Exit preview() {
    const std::vector<sema::Scenario>& scenarios = spec_.program.scenarios;
    std::vector<std::string> names;
    names.reserve(scenarios.size());
    for (const sema::Scenario& s : scenarios) names.push_back(s.name);
    const auto at = std::find(names.begin(), names.end(), options_.preview);
    if (at == names.end()) {
      const std::string near = nearest(options_.preview, names);
      return complain(Exit::usage, fmt::format("there is no scenario `{}`{}", options_.preview,
                                               near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
    }
    const Exit read = read_options();
    if (read != Exit::fine) return read;
    synth::DialogueMaker maker(spec_.program, spec_.sources, maker_, dialogue_);
    synth::MadeDialogue made;
    synth::Tally tally;
    if (!maker.make(static_cast<uint32_t>(at - names.begin()), in_, "preview", 0, made, tally))
      return complain(Exit::input, fmt::format("scenario `{}` made no dialogue in {} tries:{}", options_.preview,
                                               tally.tries, most_frequent(tally.rejected, 10)));
    show(preview_of(made.trace, pool_, made.tools.size(), color_on_stdout()));
    return Exit::fine;
  }

 private:
  Exit read_options() {
    static const std::map<std::string, synth::Level> levels = {
        {"L0", synth::Level::l0}, {"L1", synth::Level::l1}, {"L2", synth::Level::l2}, {"L3", synth::Level::l3}};
    dialogue_.level = levels.at(options_.level);
    const Result<void> length = read_length(options_.length, dialogue_);
    return length ? Exit::fine : complain(Exit::usage, length.error().message);
  }

  // The folder is new, or holds the same run, or --restart allows to begin anew.
  Result<void> open_folder(const Json& job) const {
    std::error_code error;
    fs::create_directories(options_.out, error);
    if (error) return Error{fmt::format("{}: {}", options_.out, error.message())};
    const fs::path path = fs::path(options_.out) / "job.json";
    if (options_.restart) {
      for (const fs::directory_entry& entry : fs::directory_iterator(options_.out, error)) {
        const std::string name = entry.path().filename();
        const bool ours =
            name == "job.json" || name == "manifest.json" || name.ends_with(".jsonl") || name.ends_with(".jsonl.part");
        if (ours) fs::remove(entry.path(), error);
      }
    }
    // What a failed run has left behind without a dialogue is nothing to keep.
    std::string held;
    for (const fs::directory_entry& entry : fs::directory_iterator(options_.out, error)) {
      const std::string name = entry.path().filename();
      const bool dialogues = name.ends_with(".jsonl") || name.ends_with(".jsonl.part");
      if (dialogues && entry.file_size(error) > 0) held = name;
    }
    if (held.empty()) return write_file(path.string(), job.dump(2) + "\n");
    if (!fs::exists(path, error))
      return Error{fmt::format("{} holds {} of something else; choose another folder, or --restart to replace it",
                               options_.out, held)};
    const Result<Json> before = read_json_file(path.string());
    if (!before) return before.error();
    if (*before == job) return {};
    return Error{fmt::format(
        "{} holds dialogues of another run (another seed, spec or option); choose another folder, or --restart to "
        "replace them",
        options_.out)};
  }

  Exit write_one(const std::string& split, const tools::Selection& from, bool slices,
                 const std::vector<uint64_t>& counts, Json& files) {
    const SynthFile file = plan_file(split, from, slices, counts, options_.seed);
    WriteOptions how;
    how.folder = options_.out;
    how.format = options_.format == "openai" ? synth::Format::openai : synth::Format::native;
    how.shard = options_.shard;
    how.threads = thread_count(options_.threads);
    how.quiet = options_.quiet;
    how.rewriter = rewriter_;
    const Result<WrittenFile> written = write_file_of(
        file, spec_.program, pool_,
        [&] { return synth::DialogueMaker(spec_.program, spec_.sources, maker_, dialogue_); }, how, tally_);
    if (!written) return complain(Exit::input, written.error().message);
    Json by_scenario = Json::object();
    for (size_t s = 0; s < counts.size(); ++s)
      if (counts[s] > 0) by_scenario[spec_.program.scenarios[s].name] = counts[s];
    files.push_back({{"split", split},
                     {"files", written->names},
                     {"dialogues", written->dialogues},
                     {"bytes", written->bytes},
                     {"scenarios", by_scenario}});
    dialogues_ += written->dialogues;
    resumed_ += written->resumed;
    return Exit::fine;
  }

  Exit write_manifest(Json manifest, Json files) {
    manifest["tools"] = {{"pool", pool_.size()},
                         {"in_distribution", in_.tools.size()},
                         {"out_of_distribution", out_.tools.size()},
                         {"edges", maker_.graph().edges().size()}};
    manifest["files"] = std::move(files);
    const auto counted = [](const std::map<std::string, uint64_t>& reasons) {
      Json out = Json::object();
      for (const auto& [reason, count] : reasons) out[reason] = count;
      return out;
    };
    // Of what this run made; an earlier part of an interrupted one is not counted again.
    manifest["counted_of"] = dialogues_ - resumed_;
    manifest["tries"] = tally_.tries;
    manifest["rejected"] = counted(tally_.rejected);
    manifest["repaired"] = counted(tally_.repaired);
    if (rewriter_ != nullptr) {
      manifest["messages"] = counted(rewriter_->counts());
      for (const std::string& warning : rewriter_->warnings()) warn(warning);
    }
    const std::string path = (fs::path(options_.out) / "manifest.json").string();
    if (dialogues_ > resumed_ || !fs::exists(path)) {
      const Result<void> written = write_file(path, manifest.dump(2) + "\n");
      if (!written) return complain(Exit::input, written.error().message);
    }
    if (options_.quiet) return Exit::fine;
    uint64_t rejected = 0;
    for (const auto& [reason, count] : tally_.rejected) rejected += count;
    std::string text = fmt::format("{} dialogues in {}", dialogues_, options_.out);
    if (resumed_ > 0) text += fmt::format("; {} of them were there already", resumed_);
    if (rewriter_ != nullptr) text += "; messages:" + most_frequent(rewriter_->counts(), 8);
    if (rejected > 0)
      text += fmt::format("; {} of {} tries rejected:{}", rejected, tally_.tries, most_frequent(tally_.rejected, 5));
    note(text);
    return Exit::fine;
  }

  const SynthOptions& options_;
  const Loaded& spec_;
  const Loaded& talk_;
  const tools::Pool& pool_;
  const synth::Maker& maker_;
  synth::Rewriter* rewriter_;
  tools::Selection in_, out_;
  synth::DialogueOptions dialogue_;
  synth::Tally tally_;
  uint64_t dialogues_ = 0, resumed_ = 0;
};

// Of the files of a folder, in order of name: {"tool", "arguments", "result"}, one a line.
Result<synth::Responses> read_responses(const std::string& folder, const tools::Pool& pool) {
  synth::Responses out(pool);
  if (folder.empty()) return out;
  std::error_code error;
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".jsonl" || entry.path().extension() == ".json")
      files.push_back(entry.path().string());
  if (error) return Error{fmt::format("{}: {}", folder, error.message())};
  std::sort(files.begin(), files.end());
  size_t skipped = 0;
  for (const std::string& file : files) {
    const Result<Json> document = read_json_file(file);
    if (!document) return document.error();
    const Json records = document->is_array() ? *document : Json::array({*document});
    for (size_t i = 0; i < records.size(); ++i) {
      const Result<void> added = out.add(pool, records[i]);
      if (!added && ++skipped <= 5)
        warn(fmt::format("skipped {}: response {}: {}", file, i + 1, added.error().message));
    }
  }
  if (skipped > 5) warn(fmt::format("and {} more responses", skipped - 5));
  return out;
}

Exit synth_all(const SynthOptions& options) {
  if (options.out.empty() && options.preview.empty())
    return complain(Exit::usage, "--out DIR says where the dialogues go, or --preview SCENARIO shows one");
  Made<Loaded> spec = load(options.spec, true);
  if (!spec) return spec.code();
  if (spec->program.scenarios.empty()) return complain(Exit::input, options.spec + " declares no scenario");
  const std::string talk_file = options.talk.empty() ? shipped_file("std/talk.wend") : options.talk;
  if (talk_file.empty()) return complain(Exit::input, "the shipped std/talk.wend is not there; --talk names another");
  Made<Loaded> talk_spec = load(talk_file, false);
  if (!talk_spec) return talk_spec.code();
  Diagnostics diagnostics;
  const synth::Phrasebook book = synth::phrasebook_of(talk_spec->program, diagnostics);
  if (diagnostics.has_errors()) {
    const std::string text = render_text(diagnostics, talk_spec->sources, color_on_stderr());
    std::fwrite(text.data(), 1, text.size(), stderr);
    return Exit::input;
  }
  const Result<tools::Pool> pool = open_pool(options.pool);
  if (!pool) return complain(Exit::input, pool.error().message);
  const Result<synth::Talk> talk = synth::Talk::make(book, *pool);
  if (!talk) return complain(Exit::input, talk_file + ": " + talk.error().message);
  const Result<synth::Responses> responses = read_responses(options.responses, *pool);
  if (!responses) return complain(Exit::input, responses.error().message);
  std::optional<synth::Rewriter> rewriter;
  if (options.writer == "http") {
    Result<HttpJudge> server = open_http_judge(options.server);
    if (!server) return complain(Exit::usage, "--writer http: " + server.error().message);
    rewriter.emplace(std::move(*server));
  }
  const tools::Graph graph(*pool);
  const synth::Maker maker(*pool, graph, *talk, &*responses);
  Run run(options, *spec, *talk_spec, *pool, maker, rewriter ? &*rewriter : nullptr);
  return options.preview.empty() ? run.write_all() : run.preview();
}

}  // namespace

void add_synth(CLI::App& app, Action& action) {
  auto options = std::make_shared<SynthOptions>();
  CLI::App& command = *app.add_subcommand("synth", "Make dialogues of scenarios, with what is expected in them");
  command.add_option("SPEC", options->spec, "Spec with scenarios")->required();
  command.add_option("--out", options->out, "Folder for the files")->type_name("DIR");
  command.add_option("--count", options->count, "Dialogues in all (1000)")->type_name("N");
  command.add_option("--split", options->split, "train=N,valid=N,test-id=N,test-ood=N or shares (80%,5%,7.5%,7.5%)");
  command.add_option("--single-step", options->single_step, "Histories with the gold action next: so many")
      ->type_name("N");
  command.add_option("--mix", options->mix, "paper (the shares of the spec), uniform, or a JSON file of weights");
  command.add_option("--single-mix", options->single_mix, "The same for --single-step; else as --mix");
  command.add_option("--seed", options->seed, "Seed (1)")->type_name("S");
  command.add_option("--tools", options->pool.tools,
                     "Tools: files of any format of `tools import`, or folders of them; "
                     "else those shipped");
  command.add_option("--values", options->pool.values, "More kinds of values, as JSON");
  command.add_option("--ood", options->ood, "Sources of tools for test-ood alone; else those that end in -ood");
  command.add_option("--talk", options->talk, "Phrases in place of std.talk")->type_name("FILE");
  command.add_option("--responses", options->responses, "Recorded responses, preferred to made-up ones")
      ->type_name("DIR");
  command.add_option("--writer", options->writer, "grammar, or http: a model puts users' messages into other words")
      ->check(CLI::IsMember({"grammar", "http"}));
  declare_server(command, options->server, "Writer");
  command
      .add_option("--levels", options->level,
                  "What is put between turns: L0 nothing, L1 3 turns of small talk, "
                  "L2 8, L3 5 and 3 idle tasks")
      ->check(CLI::IsMember({"L0", "L1", "L2", "L3"}));
  command.add_option("--length", options->length, "Tokens of the messages: 5k (up to), 5k-11k, 11k-16k, 16k (from)");
  command.add_option("--typos", options->typos, "Share of user messages with a typo (0.03)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--format", options->format, "native, or openai (for fine-tuning; without gold)")
      ->check(CLI::IsMember({"native", "openai"}));
  command.add_option("--tries", options->tries, "Tries for one dialogue (200)")->check(CLI::Range(1u, 1000000u));
  command.add_option("--shard", options->shard, "Dialogues of one file (100000)")->check(CLI::Range(1u, 1000000000u));
  command.add_option("-j,--threads", options->threads, "Threads; 0: one per core");
  command.add_option("--preview", options->preview, "Print one dialogue of this scenario")->type_name("SCENARIO");
  command.add_flag("--restart", options->restart, "Replace what another run has written to the folder");
  command.add_flag("-q,--quiet", options->quiet, "No progress, no summary");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return synth_all(*options); }; });
}

}  // namespace wend::driver
