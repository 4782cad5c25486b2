// The engine under attack. Only model.cc is compiled against a scheme's Verilog.
#pragma once

#include <memory>

#include "attacked_model.h"
#include "pins.h"

namespace hauberk::engine {

using Model = AttackedModel<Inputs, Outputs>;
std::unique_ptr<Model> makeModel();

}  // namespace hauberk::engine
