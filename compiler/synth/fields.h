// What the parts of a dialogue in the making are asked for. Internal to synth.
#ifndef WEND_COMPILER_SYNTH_FIELDS_H_
#define WEND_COMPILER_SYNTH_FIELDS_H_

#include <optional>
#include <string>

#include "compiler/sema/domain.h"
#include "compiler/synth/evaluator.h"
#include "compiler/synth/item.h"

namespace wend::synth {

// The field of the part; none, or an empty list, where it has none.
Item field_of(const Item& owner, const sema::Field& field, Scene& scene);

// The value of an argument.
Item value_item(const Item& arg, const Scene& scene);
// The text, or the JSON as it is said.
std::string text_of(const Item& item);
std::optional<double> number_of(const Item& item);
std::string message_text(const Item& message, const Trace& trace);
Item label_item(double number);

}  // namespace wend::synth

#endif  // WEND_COMPILER_SYNTH_FIELDS_H_
