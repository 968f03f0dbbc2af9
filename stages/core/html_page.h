#pragma once
/// @file
/// What all our HTML pages have in common: one file that needs nothing else, no script and no network; light and dark;
/// readable on a phone, where tables marked "stack" turn each row into a block.
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

/// `text` with the characters that mean something in HTML written as entities.
std::string escaped(std::string_view text);

/// The whole page; `title` is text, `body` and `more_style` are HTML and CSS.
std::string html_page(std::string_view title, std::string_view body, std::string_view more_style = "");

/// A cell of a table: text, and CSS classes ("quiet", "loss").
struct HtmlCell {
  std::string text;
  std::string_view classes = {};
};

struct HtmlTable {
  std::string caption;
  std::vector<std::string> head;            // (columns)
  std::vector<std::vector<HtmlCell>> rows;  // (rows, columns), the first cell names the row
};

/// The table, which on a phone is a block a row with the column's name before each value.
std::string stacking_table(const HtmlTable& table);

/// The same behind a line "as a table", to be opened: for the numbers of a chart.
std::string folded_table(const HtmlTable& table);

}  // namespace stagecraft
