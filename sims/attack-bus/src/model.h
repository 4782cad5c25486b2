// The bus under attack. Only model.cc is compiled against a scheme's Verilog.
#pragma once

#include <memory>

#include "attacked_model.h"
#include "pins.h"

namespace hauberk::bus {

class Model : public AttackedModel<Inputs, Outputs> {
 public:
  using AttackedModel::settle;

  /** The same with other taps only. */
  virtual const Outputs& settle(const Taps& taps) = 0;
};
std::unique_ptr<Model> makeModel();

}  // namespace hauberk::bus
