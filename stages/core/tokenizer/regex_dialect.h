#pragma once
/// @file
/// Regular expressions of a tokenizer.json are written for Oniguruma (Ruby's syntax), and we run PCRE2. Most patterns
/// mean the same in both; some are accepted by both and mean different things, so that text would be cut elsewhere
/// without a word.
///
/// | pattern      | Oniguruma                      | PCRE2                          | here                        |
/// |--------------|--------------------------------|--------------------------------|-----------------------------|
/// | `\s`         | White_Space                    | also U+180E                    | written out as a class      |
/// | `\w`         | letters, marks, digits, Pc     | no marks before 10.43          | written out as a class      |
/// | `a{1,3}+`    | `(?:a{1,3})+`                  | possessive                     | refused                     |
/// | `[a[b]&&c]`  | sets inside sets, intersection | literal `[` and `&`            | refused                     |
/// | `\h`, `\b`.. | hex digit, ..                  | horizontal space, ..           | refused, as other letters   |
/// | `(?m)`       | dot matches newline            | lines                          | refused, as other flags but i |
#include <string>

#include "stages/core/json_fields.h"

namespace stagecraft::tokenizer {

/// `pattern` for PCRE2 (with UTF and UCP) to mean what Oniguruma takes it for. Throws BadInput, naming `field`, for
/// what the two read differently.
std::string to_pcre2(const std::string& pattern, const JsonField& field);

}  // namespace stagecraft::tokenizer
