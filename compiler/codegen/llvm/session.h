// One ORC session: links objects into this process, each in a library of its own.
#ifndef WEND_COMPILER_CODEGEN_LLVM_SESSION_H_
#define WEND_COMPILER_CODEGEN_LLVM_SESSION_H_

#include <atomic>
#include <memory>
#include <string>

#include "compiler/codegen/backend.h"
#include "runtime/result.h"

namespace llvm::orc {
class LLJIT;
}

namespace wend::codegen {

class Session : public std::enable_shared_from_this<Session> {
 public:
  static Result<std::shared_ptr<Session>> create();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // The code lives as long as LinkedCode::owner, and the session at least as long.
  Result<LinkedCode> link(const std::string& object);

 private:
  explicit Session(std::unique_ptr<llvm::orc::LLJIT> jit);

  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::atomic<uint64_t> next_{0};
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_LLVM_SESSION_H_
