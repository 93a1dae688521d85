/// Breaks `text` between words so that lines stay within `width` columns, each indented by `indent`.
///
/// A line break in the text stays one. A word longer than the line is left whole.
func wrapped(_ text: String, width: Int, indent: Int = 0) -> String {
  let margin = String(repeating: " ", count: indent)
  var page = ""
  for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        page += margin + line + "\n"
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    page += line.isEmpty ? "\n" : margin + line + "\n"
  }
  return page
}
