#pragma once
/// @file
/// In which pages a model's mapped files lie: it decides how fast they can be read (kernels/huge_pages.h), and a file that
/// was just written, by a download say, lies in small ones until it has been read from the disk again.
#include <cstdint>
#include <optional>

#include "stages/core/weights.h"

namespace stagecraft::bench {

/// Asks the kernel to drop the files of `folder` that end in .safetensors from the page cache, so that the next reading
/// comes from the disk. Nothing on the disk changes; pages that somebody still uses stay.
void drop_from_page_cache(const std::filesystem::path& folder);

struct ModelPages {
  int64_t resident_bytes;  // of the model's files, mapped now
  int64_t huge_bytes;      // of these, in huge pages
};

/// Nothing where /proc does not tell.
std::optional<ModelPages> model_pages(const ModelWeights& weights);

}  // namespace stagecraft::bench
