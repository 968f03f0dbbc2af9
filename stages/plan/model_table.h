#pragma once
/// @file
/// Public models by name, so that a plan needs no file. Shapes are those of their config.json.
#include <string>
#include <string_view>
#include <vector>

#include "stages/plan/model_shape.h"

namespace stagecraft {

struct PublicModel {
  ModelShape shape;
  double published_billions = 0;  // parameters, as the model's makers or its page say
  std::string source;             // the config.json that was read for this row, often a copy of the makers'
  std::string unchecked = "";     // what was not read anywhere, in words; empty: nothing
};

/// All that are known by name.
const std::vector<PublicModel>& all_models();

/// The one of that name; null if there is none.
const PublicModel* find_model(std::string_view name);

/// The names, for a hint.
std::string model_names();

}  // namespace stagecraft
