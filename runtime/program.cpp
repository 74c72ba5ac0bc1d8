#include "runtime/program.h"

#include <dlfcn.h>
#include <elf.h>

#include <fmt/format.h>
#include <filesystem>
#include <fstream>

namespace wend {

NativeProgram::NativeProgram(const wend_program* program, std::shared_ptr<const void> keep_alive, ProgramInfo info)
    : program_(program), keep_alive_(std::move(keep_alive)) {
  info_ = std::move(info);
  tables_.param_defaults = {program->param_defaults, program->n_params};
  tables_.literals = {program->literals, program->n_literals};
  tables_.memo = {program->memo, program->n_memo};
  tables_.signal_requires = {program->signal_requires, program->n_signals};
  tables_.term_requires = {program->term_requires, program->n_terms};
  tables_.reward_terms = {program->reward_terms, program->n_rewards + 1};
}

Result<std::shared_ptr<const Program>> NativeProgram::make(const wend_program* program,
                                                           std::shared_ptr<const void> keep_alive) {
  if (program->abi_version != WEND_ABI_VERSION) {
    return Error{fmt::format("the program was compiled for interface version {}, this is version {}: compile it again",
                             program->abi_version, WEND_ABI_VERSION)};
  }
  if (program->batch_version > WEND_BATCH_VERSION) {
    return Error{fmt::format("the program reads batches of version {}, this makes version {}: compile it again",
                             program->batch_version, WEND_BATCH_VERSION)};
  }
  Result<ProgramInfo> info = ProgramInfo::parse(program->metadata);
  if (!info) return info.error();
  if (info->params.size() != program->n_params || info->signals.size() != program->n_signals ||
      info->metrics.size() != program->n_metrics || info->rewards.size() != program->n_rewards ||
      info->judges.size() != program->n_judges) {
    return Error{"the program's description does not match its tables"};
  }
  return std::shared_ptr<const Program>(new NativeProgram(program, std::move(keep_alive), std::move(*info)));
}

void NativeProgram::requests(const wend_context& context, uint32_t begin, uint32_t end, uint8_t* asks) const {
  program_->requests(&context, begin, end, asks);
}
void NativeProgram::prepare(const wend_context& context, uint32_t begin, uint32_t end) const {
  program_->prepare(&context, begin, end);
}
void NativeProgram::signals(const wend_context& context, uint32_t begin, uint32_t end, double* out) const {
  program_->signals(&context, begin, end, out);
}
void NativeProgram::reward(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                           double* terms, uint32_t* status) const {
  program_->reward(&context, reward, begin, end, totals, terms, status);
}
void NativeProgram::attribute(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end,
                              double* totals, double* terms, uint32_t* status) const {
  program_->attribute(&context, reward, begin, end, totals, terms, status);
}
void NativeProgram::metrics(const double* params, const double* sums, double* value, uint8_t* valid) const {
  program_->metrics(params, sums, value, valid);
}

void NativeProgram::begin(const wend_context& context, const wend_engine& engine, uint32_t belief) const {
  if (program_->beliefs) program_->beliefs->begin(&context, &engine, belief);
}
void NativeProgram::on(const wend_context& context, const wend_engine& engine, uint32_t belief, uint32_t event) const {
  if (program_->beliefs) program_->beliefs->on(&context, &engine, belief, event);
}
void NativeProgram::render(const wend_context& context, uint32_t render, wend_output& output) const {
  if (program_->beliefs) program_->beliefs->render(&context, render, &output);
}
bool NativeProgram::context(const wend_context& context, const wend_engine& engine, uint32_t which) const {
  if (!program_->beliefs || !program_->beliefs->context) return false;
  program_->beliefs->context(&context, &engine, which);
  return true;
}

namespace {

// The loader maps what the headers promise and dies on the first page that a cut-off file lacks. The table of sections
// stands last, so a file that holds all of it holds the rest.
bool is_cut_off(const std::string& file) {
  std::error_code failure;
  const uintmax_t size = std::filesystem::file_size(file, failure);
  Elf64_Ehdr header{};
  std::ifstream in(file, std::ios::binary);
  if (failure || !in.read(reinterpret_cast<char*>(&header), sizeof header)) return false;  // the loader says what it is
  if (std::string_view(reinterpret_cast<const char*>(header.e_ident), SELFMAG) != ELFMAG) return false;
  return header.e_shoff > size || uint64_t{header.e_shnum} * header.e_shentsize > size - header.e_shoff;
}

}  // namespace

Result<std::shared_ptr<const Program>> open_program(const std::string& path) {
  // A bare name would be searched for in the system's folders.
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  if (is_cut_off(file)) return Error{fmt::format("cannot open {}: the file is cut off", path)};
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return Error{fmt::format("cannot open {}: {}", path, dlerror())};
  std::shared_ptr<const void> keep_alive(handle, [](const void* library) { dlclose(const_cast<void*>(library)); });
  auto get = reinterpret_cast<wend_program_get_fn>(dlsym(handle, "wend_program_get"));
  if (!get) return Error{fmt::format("{} is not a compiled spec: it exports no wend_program_get", path)};
  const wend_program* program = get();
  if (!program) return Error{fmt::format("{} is not a compiled spec: wend_program_get gives nothing", path)};
  auto made = NativeProgram::make(program, std::move(keep_alive));
  if (!made) return Error{fmt::format("{}: {}", path, made.error().message)};
  return made;
}

}  // namespace wend
