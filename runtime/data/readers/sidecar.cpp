#include <memory>

#include "runtime/data/readers/bfcl.h"
#include "runtime/data/readers/record_reader.h"
#include "runtime/data/readers/tau2.h"

namespace wend {

Result<std::unique_ptr<Sidecar>> load_sidecar(const std::string& path, const ReadOptions& options, Layout& layout) {
  if (layout.format == Format::kBfcl) return load_bfcl(path, options);
  if (layout.format != Format::kTau2) return std::make_unique<Sidecar>();
  const bool is_list = layout.framing == Framing::kList;
  auto sidecar = load_tau2(path, layout.start, is_list);
  layout.framing = Framing::kList;
  return sidecar;
}

}  // namespace wend
