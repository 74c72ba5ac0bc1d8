#include "compiler/codegen/llvm/session.h"

#include <llvm/ExecutionEngine/Orc/DebugObjectManagerPlugin.h>
#include <llvm/ExecutionEngine/Orc/EPCDebugObjectRegistrar.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h>

namespace wend::codegen {

namespace orc = llvm::orc;

namespace {

Error failure(const char* what, llvm::Error error) {
  return Error{std::string(what) + ": " + llvm::toString(std::move(error))};
}

// The registration function is given by address: this module's symbols are not visible to a lookup by name.
llvm::Expected<std::unique_ptr<orc::ObjectLayer>> make_layer(orc::ExecutionSession& session) {
  auto layer = std::make_unique<orc::ObjectLinkingLayer>(session);
  layer->addPlugin(std::make_unique<orc::DebugObjectManagerPlugin>(
      session,
      std::make_unique<orc::EPCDebugObjectRegistrar>(session,
                                                     orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderGDBWrapper)),
      false, true));
  return layer;
}

// A library of the session with the code of one program; removed with it.
struct Library {
  std::shared_ptr<Session> session;
  orc::ExecutionSession* orc;
  orc::JITDylib* library;

  Library(std::shared_ptr<Session> owner, orc::ExecutionSession& es, orc::JITDylib& lib)
      : session(std::move(owner)), orc(&es), library(&lib) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    // Frees the memory and takes the code from the debugger's list. Nobody is left to tell about a failure.
    llvm::consumeError(orc->removeJITDylib(*library));
  }
};

}  // namespace

Session::Session(std::unique_ptr<orc::LLJIT> jit) : jit_(std::move(jit)) {}
Session::~Session() = default;

Result<std::shared_ptr<Session>> Session::create() {
  auto target = orc::JITTargetMachineBuilder::detectHost();
  if (!target) return failure("cannot find out about this processor", target.takeError());
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*target))
                 .setLinkProcessSymbolsByDefault(true)
                 .setPlatformSetUp(orc::setUpInactivePlatform)
                 .setObjectLinkingLayerCreator(
                     [](orc::ExecutionSession& session, const llvm::Triple&) { return make_layer(session); })
                 .create();
  if (!jit) return failure("cannot start the just-in-time linker", jit.takeError());
  return std::shared_ptr<Session>(new Session(std::move(*jit)));
}

Result<LinkedCode> Session::link(const std::string& object) {
  const std::string name = "wend." + std::to_string(next_++);
  auto library = jit_->createJITDylib(name);
  if (!library) return failure("cannot link the compiled spec", library.takeError());
  auto owner = std::make_shared<Library>(shared_from_this(), jit_->getExecutionSession(), *library);
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object.data(), object.size()), name);
  if (auto error = jit_->addObjectFile(*library, std::move(buffer))) {
    return failure("cannot link the compiled spec", std::move(error));
  }
  LinkedCode code;
  std::string problem;
  Result<void> resolved = resolve(code, [&](const char* symbol) -> void* {
    auto address = jit_->lookupLinkerMangled(*library, symbol);
    if (address) return address->toPtr<void*>();
    problem = llvm::toString(address.takeError());
    return nullptr;
  });
  if (!resolved) return Error{resolved.error().message + ": " + problem};
  code.owner = std::move(owner);
  return code;
}

}  // namespace wend::codegen
