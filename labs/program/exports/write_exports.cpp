#include "labs/program/exports/write_exports.h"

#include <fmt/format.h>

namespace stagecraft::labs {

void write_exports(const Session& session, const LabRecord& record, const Path& folder) {
  std::vector<LabRecord> all;
  for (const LabInfo& lab : session.labs) {
    if (lab.id == record.lab.id)
      all.push_back(record);
    else
      all.push_back({lab, load_results(session.places.state_of(lab.id))});
  }
  write_file(folder / "junit.xml", junit_xml(record));
  write_file(folder / "results.json", gradescope_json(record));
  write_file(folder / "progress.json", progress_json(all));
  write_file(folder / "progress.html", progress_html(all));
  fmt::print("  exported to {}: junit.xml, results.json (Gradescope), progress.json, progress.html\n", folder.string());
}

}  // namespace stagecraft::labs
