// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The value of an environment variable. Nil if it is not set.
func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

func localeIsUTF8() -> Bool {
  let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { name in
    environmentVariable(name).flatMap { $0.isEmpty ? nil : $0.uppercased() }
  }.first
  return locale.map { $0.hasSuffix("UTF-8") || $0.hasSuffix("UTF8") } ?? false
}

/// The width of help pages in columns: `COLUMNS`, else the terminal's width, else 80.
func helpPageWidth() -> Int {
  let narrowest = 40
  if let columns = environmentVariable("COLUMNS").flatMap({ Int($0) }), columns > 0 {
    return max(narrowest, columns)
  }
  return max(narrowest, StandardStream.output.terminalWidth ?? 80)
}
