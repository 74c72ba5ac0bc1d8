// What renders write (plan::Put), by the primitives of codegen/primitives/put.cpp.
#include "compiler/codegen/llvm/procedure_emitter.h"

namespace wend::codegen {

using llvm::BasicBlock;
using llvm::Value;
using plan::Instruction;
using plan::Procedure;
using plan::Put;
using plan::Type;

void ProcedureEmitter::render(const Procedure& procedure) {
  at_ = f_.slot(llvm::ConstantPointerNull::get(m_.ptr));
  limits_ = f_.member_of_argument(1, m_.ptr, offsetof(wend_output, limits));
  blocks_ = f_.member_of_argument(1, m_.ptr, offsetof(wend_output, blocks));
  begin(procedure);
  Value* size = f_.at(f_.arg(1), m_.int64(0), 1, offsetof(wend_output, size));
  Value* data = b_.CreateLoad(m_.ptr, f_.arg(1));
  b_.CreateStore(b_.CreateInBoundsGEP(m_.i8, data, b_.CreateLoad(m_.i64, size)), at_);
  run(procedure);
  b_.CreateStore(size_of_output(), size);
  b_.CreateRetVoid();
}

// ---- Writing ------------------------------------------------------------------------------------------------------

void ProcedureEmitter::write(const char* writer, const std::vector<Value*>& more) {
  std::vector<llvm::Type*> types;
  std::vector<Value*> arguments{f_.arg(1), at()};
  for (Value* value : more) {
    types.push_back(value->getType());
    arguments.push_back(value);
  }
  b_.CreateStore(b_.CreateCall(m_.writer(writer, types), arguments), at_);
}

void ProcedureEmitter::write_bytes(llvm::StringRef bytes) {
  if (!bytes.empty()) write("wend_put_bytes", {m_.bytes(bytes), m_.int64(static_cast<int64_t>(bytes.size()))});
}

Value* ProcedureEmitter::size_of_output() {
  Value* data = b_.CreateLoad(m_.ptr, f_.arg(1));
  return b_.CreateSub(b_.CreatePtrToInt(at(), m_.i64), b_.CreatePtrToInt(data, m_.i64));
}

Value* ProcedureEmitter::limit(const Instruction& i, size_t offset) {
  if (i.integer < 0) return m_.int32(UINT32_MAX);
  return f_.load_fixed(m_.i32, f_.at(limits_, m_.int64(i.integer), sizeof(wend_limit), static_cast<uint32_t>(offset)));
}

// ---- Texts and values ---------------------------------------------------------------------------------------------

void ProcedureEmitter::put_text(const Instruction& i, Value* text, const char* writer) {
  Value* most = i.args.size() > 1 ? argument(i, 1) : m_.int64(INT64_MAX);
  write(writer, {f_.column(WEND_COLUMN_text_data), text, most, limit(i, offsetof(wend_limit, text))});
}

void ProcedureEmitter::put_json(const Instruction& i) {
  write("wend_put_json", {f_.column(WEND_COLUMN_value_type), f_.column(WEND_COLUMN_value_text),
                          f_.column(WEND_COLUMN_text_data), argument(i, 0), limit(i, offsetof(wend_limit, text))});
}

void ProcedureEmitter::put_value_text(const Instruction& i) {
  Value* column = f_.column(WEND_COLUMN_value_text);
  put_text(i, f_.load_fixed(m_.i32, f_.at(column, argument(i, 0), sizeof(uint32_t))), "wend_put_text");
}

// ---- Lists and sub-blocks -----------------------------------------------------------------------------------------

void ProcedureEmitter::put_separator(const Instruction& i) {
  Value* written = b_.CreateLoad(m_.i64, slots_.at(i.variable).first);
  BasicBlock* between = f_.block("between");
  BasicBlock* done = f_.block("separated");
  b_.CreateCondBr(b_.CreateICmpNE(written, m_.int64(0)), between, done);
  f_.enter(between);
  write_bytes(m_.plan.strings[static_cast<size_t>(i.integer)]);
  b_.CreateBr(done);
  f_.enter(done);
  assign(i.variable, b_.CreateAdd(written, m_.int64(1)));
}

// All but the last elements that the limit lets through.
Value* ProcedureEmitter::left_out(const Instruction& i) {
  Value* most = limit(i, offsetof(wend_limit, items));
  Value* out = b_.CreateSub(argument(i, 0), b_.CreateZExt(most, m_.i64));
  out = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, out, m_.int64(0));
  return b_.CreateSelect(b_.CreateICmpEQ(most, m_.int32(UINT32_MAX)), m_.int64(0), out);
}

void ProcedureEmitter::mark_block(const Instruction& i) {
  Value* where = b_.CreateTrunc(b_.CreateSub(size_of_output(), m_.int64(i.second)), m_.i32);
  const size_t member = i.put == Put::block_begin ? offsetof(wend_span, begin) : offsetof(wend_span, end);
  b_.CreateStore(where, f_.at(blocks_, m_.int64(i.integer), sizeof(wend_span), static_cast<uint32_t>(member)));
}

void ProcedureEmitter::put(const Instruction& i) {
  switch (i.put) {
    case Put::constant:
      return write_bytes(m_.plan.strings[static_cast<size_t>(i.integer)]);
    case Put::quoted:
      return put_text(i, argument(i, 0), "wend_put_quoted");
    case Put::text:
      return put_text(i, argument(i, 0), "wend_put_text");
    case Put::json:
      return put_json(i);
    case Put::value_text:
      return put_value_text(i);
    case Put::integer:
      return write("wend_put_integer", {argument(i, 0)});
    case Put::real:
      return write("wend_put_real", {argument(i, 0)});
    case Put::boolean:
      return write("wend_put_boolean", {b_.CreateZExt(argument(i, 0), m_.i32)});
    case Put::separator:
      return put_separator(i);
    case Put::left_out:
      return assign(i.variable, left_out(i));
    case Put::text_begin:
      return assign(i.variable, size_of_output());
    case Put::text_end: {
      Value* begin = b_.CreateLoad(m_.i64, slots_.at(i.variable).first);
      return write("wend_put_cut", {begin, limit(i, offsetof(wend_limit, text))});
    }
    case Put::block_begin:
    case Put::block_end:
      return mark_block(i);
  }
}

}  // namespace wend::codegen
