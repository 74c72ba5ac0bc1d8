#include "compiler/codegen/object_loader.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "compiler/codegen/gdb_registry.h"

namespace wend::codegen {

namespace {

// One mapping: sections first (code, then data), then stubs and the table of far addresses.
class Mapping {
 public:
  explicit Mapping(size_t size) : size_(size) {
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    base_ = memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
  }
  ~Mapping() {
    if (base_) munmap(base_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  char* base() const { return base_; }
  size_t size() const { return size_; }

 private:
  char* base_;
  size_t size_;
};

struct Function {
  std::string name;
  uintptr_t address;
  uint64_t size;
  bool global;
};

constexpr size_t kPage = 4096;
constexpr size_t align_up(size_t value, size_t to) { return (value + to - 1) / to * to; }

template <class T>
std::optional<T> read_at(std::string_view bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// Loads step by step; each step fails with a reason.
class Loader {
 public:
  explicit Loader(std::string_view object) : object_(object) {}

  Result<void> run() {
    for (auto step : {&Loader::read_sections, &Loader::read_symbols, &Loader::place, &Loader::copy, &Loader::relocate,
                      &Loader::protect}) {
      Result<void> done = (this->*step)();
      if (!done) return Error{"cannot load the compiled spec: " + done.error().message};
    }
    return {};
  }

  // The object with each section's address filled in, for debuggers.
  std::string placed_object() const {
    std::string copy(object_);
    for (size_t i = 0; i < sections_.size(); ++i) {
      if (offsets_[i] == kNotLoaded) continue;
      Elf64_Shdr section = sections_[i];
      section.sh_addr = reinterpret_cast<uintptr_t>(mapping->base()) + offsets_[i];
      std::memcpy(copy.data() + header_.e_shoff + i * sizeof(Elf64_Shdr), &section, sizeof(section));
    }
    return copy;
  }

  std::unique_ptr<Mapping> mapping;
  std::vector<Function> functions;

 private:
  static constexpr size_t kNotLoaded = ~size_t{0};
  static constexpr size_t kStub = 16;  // jmp *far(%rip), padded

  Result<void> read_sections();
  Result<void> read_symbols();
  Result<void> place();
  Result<void> copy();
  Result<void> relocate();
  Result<void> protect();
  Result<void> relocate_one(const Elf64_Rela& entry, size_t section);
  std::string_view text_at(size_t strings, uint32_t offset) const;
  Result<uintptr_t> address_of(const Elf64_Sym& symbol);
  uintptr_t far_slot(uintptr_t target);
  uintptr_t stub(uintptr_t target);

  std::string_view object_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Shdr> sections_;
  std::vector<size_t> offsets_;  // of each section in the mapping
  std::vector<Elf64_Sym> symbols_;
  size_t symbol_names_ = 0;
  size_t code_end_ = 0, stubs_ = 0, slots_ = 0;  // offsets; code and stubs lie in [0, code_end_)
  size_t n_external_ = 0;
  std::map<uintptr_t, size_t> far_;  // external addresses, by number
};

Result<void> Loader::read_sections() {
  auto header = read_at<Elf64_Ehdr>(object_, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_type != ET_REL || header->e_machine != EM_X86_64 || header->e_shentsize != sizeof(Elf64_Shdr)) {
    return Error{"not an x86-64 object file"};
  }
  header_ = *header;
  for (unsigned i = 0; i < header_.e_shnum; ++i) {
    auto section = read_at<Elf64_Shdr>(object_, header_.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return Error{"the section table is cut off"};
    if (section->sh_type != SHT_NOBITS &&
        (section->sh_offset > object_.size() || object_.size() - section->sh_offset < section->sh_size)) {
      return Error{"a section is cut off"};
    }
    if (section->sh_flags & SHF_TLS) return Error{"it has thread-local data"};
    sections_.push_back(*section);
  }
  return {};
}

std::string_view Loader::text_at(size_t strings, uint32_t offset) const {
  if (strings >= sections_.size() || offset >= sections_[strings].sh_size) return {};
  const char* start = object_.data() + sections_[strings].sh_offset + offset;
  return {start, strnlen(start, sections_[strings].sh_size - offset)};
}

Result<void> Loader::read_symbols() {
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type != SHT_SYMTAB) continue;
    symbol_names_ = section.sh_link;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      symbols_.push_back(*read_at<Elf64_Sym>(object_, section.sh_offset + at));
      if (symbols_.back().st_shndx == SHN_UNDEF) ++n_external_;
    }
  }
  return {};
}

Result<void> Loader::place() {
  offsets_.assign(sections_.size(), kNotLoaded);
  size_t end = 0;
  for (bool code : {true, false}) {
    for (size_t i = 0; i < sections_.size(); ++i) {
      const Elf64_Shdr& section = sections_[i];
      bool executable = (section.sh_flags & SHF_EXECINSTR) != 0;
      if (!(section.sh_flags & SHF_ALLOC) || section.sh_type == SHT_NOTE || executable != code) continue;
      if (section.sh_addralign > kPage || section.sh_size > (size_t{1} << 30)) return Error{"a section is too large"};
      end = align_up(end, std::max<size_t>(section.sh_addralign, 1));
      offsets_[i] = end;
      end += section.sh_size;
    }
    if (code) {
      stubs_ = align_up(end, kStub);
      code_end_ = end = align_up(stubs_ + n_external_ * kStub, kPage);
    }
  }
  slots_ = align_up(end, sizeof(uint64_t));
  mapping = std::make_unique<Mapping>(align_up(slots_ + n_external_ * sizeof(uint64_t) + 1, kPage));
  if (!mapping->base()) return Error{"no memory"};
  return {};
}

Result<void> Loader::copy() {
  for (size_t i = 0; i < sections_.size(); ++i) {
    if (offsets_[i] == kNotLoaded || sections_[i].sh_type == SHT_NOBITS) continue;
    std::memcpy(mapping->base() + offsets_[i], object_.data() + sections_[i].sh_offset, sections_[i].sh_size);
  }
  for (const Elf64_Sym& symbol : symbols_) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx >= sections_.size()) continue;
    Result<uintptr_t> address = address_of(symbol);
    if (!address) return address.error();
    functions.push_back({std::string(text_at(symbol_names_, symbol.st_name)), *address, symbol.st_size,
                         ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL});
  }
  return {};
}

Result<uintptr_t> Loader::address_of(const Elf64_Sym& symbol) {
  if (symbol.st_shndx == SHN_UNDEF) {
    std::string name(text_at(symbol_names_, symbol.st_name));
    void* address = dlsym(RTLD_DEFAULT, name.c_str());
    if (!address) return Error{"nothing defines " + name};
    return reinterpret_cast<uintptr_t>(address);
  }
  if (symbol.st_shndx >= sections_.size() || offsets_[symbol.st_shndx] == kNotLoaded ||
      symbol.st_value > sections_[symbol.st_shndx].sh_size) {
    return Error{"a symbol lies outside of the code and data"};
  }
  return reinterpret_cast<uintptr_t>(mapping->base()) + offsets_[symbol.st_shndx] + symbol.st_value;
}

// A word near the code that holds an address.
uintptr_t Loader::far_slot(uintptr_t target) {
  auto [entry, added] = far_.emplace(target, far_.size());
  char* slot = mapping->base() + slots_ + entry->second * sizeof(uint64_t);
  if (added) {
    uint64_t value = target;
    std::memcpy(slot, &value, sizeof(value));
  }
  return reinterpret_cast<uintptr_t>(slot);
}

// A jump near the code to an address that may be more than 2 GB away.
uintptr_t Loader::stub(uintptr_t target) {
  uintptr_t slot = far_slot(target);
  char* code = mapping->base() + stubs_ + far_.at(target) * kStub;
  auto distance = static_cast<int32_t>(slot - (reinterpret_cast<uintptr_t>(code) + 6));
  std::memcpy(code, "\xff\x25", 2);
  std::memcpy(code + 2, &distance, sizeof(distance));
  return reinterpret_cast<uintptr_t>(code);
}

Result<void> Loader::relocate() {
  for (const Elf64_Shdr& table : sections_) {
    if (table.sh_type == SHT_REL) return Error{"it has relocations without addends"};
    if (table.sh_type != SHT_RELA || table.sh_info >= sections_.size()) continue;
    if (offsets_[table.sh_info] == kNotLoaded) continue;  // debug information: the debugger does it
    for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= table.sh_size; at += sizeof(Elf64_Rela)) {
      Result<void> done = relocate_one(*read_at<Elf64_Rela>(object_, table.sh_offset + at), table.sh_info);
      if (!done) return done;
    }
  }
  return {};
}

Result<void> Loader::relocate_one(const Elf64_Rela& entry, size_t section) {
  const uint32_t type = ELF64_R_TYPE(entry.r_info);
  const uint64_t index = ELF64_R_SYM(entry.r_info);
  const size_t width = type == R_X86_64_64 ? 8 : 4;
  if (index >= symbols_.size() || entry.r_offset > sections_[section].sh_size ||
      sections_[section].sh_size - entry.r_offset < width) {
    return Error{"a relocation lies outside of its section"};
  }
  const Elf64_Sym& symbol = symbols_[index];
  Result<uintptr_t> target = address_of(symbol);
  if (!target) return target.error();
  uintptr_t value = *target;
  char* place = mapping->base() + offsets_[section] + entry.r_offset;
  switch (type) {
    case R_X86_64_64:
      value += static_cast<uint64_t>(entry.r_addend);
      std::memcpy(place, &value, sizeof(value));
      return {};
    case R_X86_64_PLT32:
      if (symbol.st_shndx == SHN_UNDEF) value = stub(value);
      break;
    case R_X86_64_PC32:
      break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      if (symbol.st_shndx != SHN_UNDEF) return Error{"it goes through a table for one of its own names"};
      value = far_slot(value);
      break;
    default:
      return Error{fmt::format("it has a relocation of kind {}", type)};
  }
  auto distance =
      static_cast<int64_t>(value + static_cast<uint64_t>(entry.r_addend) - reinterpret_cast<uintptr_t>(place));
  if (distance != static_cast<int32_t>(distance)) return Error{"a name is too far away"};
  auto narrow = static_cast<int32_t>(distance);
  std::memcpy(place, &narrow, sizeof(narrow));
  return {};
}

Result<void> Loader::protect() {
  bool ok = mprotect(mapping->base() + code_end_, mapping->size() - code_end_, PROT_READ) == 0 &&
            (code_end_ == 0 || mprotect(mapping->base(), code_end_, PROT_READ | PROT_EXEC) == 0);
  if (!ok) return Error{"the system does not allow code made at run time"};
  return {};
}

}  // namespace

struct LoadedObject::Parts {
  std::unique_ptr<Mapping> mapping;
  std::vector<Function> functions;
  std::optional<GdbRegistration> debugger;  // last: unregistered first
};

LoadedObject::LoadedObject(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
LoadedObject::~LoadedObject() = default;

Result<std::shared_ptr<const LoadedObject>> LoadedObject::load(std::string_view object) {
  Loader loader(object);
  Result<void> loaded = loader.run();
  if (!loaded) return loaded.error();
  auto parts = std::make_unique<Parts>();
  parts->debugger.emplace(loader.placed_object());
  parts->mapping = std::move(loader.mapping);
  parts->functions = std::move(loader.functions);
  return std::shared_ptr<const LoadedObject>(new LoadedObject(std::move(parts)));
}

void* LoadedObject::find(std::string_view name) const {
  for (const Function& function : parts_->functions) {
    if (function.global && function.name == name) return reinterpret_cast<void*>(function.address);
  }
  return nullptr;
}

std::string LoadedObject::symbol_map() const {
  std::string text;
  for (const Function& function : parts_->functions) {
    text += fmt::format("{:x} {:x} {}\n", function.address, function.size, function.name);
  }
  return text;
}

}  // namespace wend::codegen
