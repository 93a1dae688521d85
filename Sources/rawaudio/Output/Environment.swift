internal import Glibc

/// The variable's value; nil where it is not set.
func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// Columns for help pages: `COLUMNS`, else the terminal's width, else 80.
func helpPageWidth() -> Int {
  let narrowest = 40
  if let columns = environmentVariable("COLUMNS").flatMap({ Int($0) }), columns > 0 {
    return max(narrowest, columns)
  }
  return max(narrowest, StandardStream.output.terminalWidth ?? 80)
}
