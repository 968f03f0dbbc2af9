#pragma once
/// @file
/// All exports of a lab into a folder.
#include "labs/program/exports/exports.h"
#include "labs/program/session.h"

namespace stagecraft::labs {

/// Writes junit.xml, results.json (Gradescope), progress.json and progress.html; the latter two tell of all labs, of
/// `record`'s as it says.
void write_exports(const Session& session, const LabRecord& record, const Path& folder);

}  // namespace stagecraft::labs
