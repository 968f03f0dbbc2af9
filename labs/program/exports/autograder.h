#pragma once
/// @file
/// The zip that Gradescope unpacks into /autograder/source (gradescope-autograders.readthedocs.io, "Autograder
/// Specifications"): setup.sh builds the labs once, run_autograder grades a submission without a network.
#include "labs/program/exports/zip_file.h"
#include "labs/program/manifest.h"

namespace stagecraft::labs {

/// Sources of the project and of `lab`, without solutions, mutants and alternates; the files of the folder `hidden`, if it
/// is not empty, as hidden/.
ZipFile autograder_zip(const Places& places, const LabInfo& lab, const Path& hidden);

}  // namespace stagecraft::labs
