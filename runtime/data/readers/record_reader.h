// RecordReader: turns one record of a file into one trace.
//
// There is one per format. It knows the record's shape and nothing of files; what it needs besides the record (pools,
// answers, tasks) is loaded once per file into a shared, unchanging Sidecar.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/data/builder.h"
#include "runtime/data/json_cursor.h"
#include "runtime/data/read_options.h"
#include "runtime/result.h"

namespace wend {

// What a format loads once per file and all threads read. Formats derive their own.
struct Sidecar {
  virtual ~Sidecar() = default;

  std::string file;        // as the user named it
  std::string tools_json;  // a pool for records that bring none; empty if there is none
};

// Loads what the format of `layout` needs besides the records; may move `layout.start` to where they begin.
Result<std::unique_ptr<Sidecar>> load_sidecar(const std::string& path, const ReadOptions& options, Layout& layout);

struct RecordPlace {
  uint64_t record;  // from 1
  uint64_t line;    // from 1; 0 where the file has no lines of its own
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // Fills the builder's trace (begun by the caller) from the record at the cursor. False: the builder says why.
  virtual bool read(Cursor cursor, const RecordPlace& place) = 0;
};

// A record without id is named after its place: FILE:LINE.
std::string place_name(const Sidecar& sidecar, const RecordPlace& place);

// The pool of `sidecar.tools_json` for a record without tools of its own.
bool use_shared_pool(BatchBuilder& builder, const Sidecar& sidecar);

std::unique_ptr<RecordReader> make_native_reader(BatchBuilder& builder, const Sidecar& sidecar);
std::unique_ptr<RecordReader> make_tau_reader(BatchBuilder& builder, const Sidecar& sidecar);
std::unique_ptr<RecordReader> make_tau2_reader(BatchBuilder& builder, const Sidecar& sidecar);
std::unique_ptr<RecordReader> make_bfcl_reader(BatchBuilder& builder, const Sidecar& sidecar);

}  // namespace wend
