// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// An object of JSON a line, whose members have the names of columns.
enum JSONLines: TableFormat {
  static let example = #"{"start": 1.5, "end": 3.25, "label": "dog"}"#

  /// As of a list.
  private static let largestLine = 1 << 20

  static func recognises(_ beginning: [String]) -> Bool {
    beginning.first?.trimmed.hasPrefix("{") ?? false
  }

  static func read(_ text: TableText, into content: inout TableContent) throws(InvalidValue) {
    for (index, line) in text.lines.enumerated() where !line.trimmed.isEmpty {
      content.add(line: index + 1, line) { () throws(InvalidValue) in
        guard line.utf8.count <= largestLine else { throw InvalidValue("it is longer than 1 MiB") }
        let value: JSONValue
        do throws(AudioError) {
          value = try JSONValue(reading: Array(line.utf8), depth: 16)
        } catch {
          throw InvalidValue(error.reason)
        }
        guard case .object(let members) = value else { throw InvalidValue("it is no object") }
        var (names, cells): ([String], [String]) = ([], [])
        for member in members {
          guard let text = member.value.cell else { continue }
          names.append(member.name)
          cells.append(text)
        }
        return try TableColumn.Head(names).row(cells)
      }
    }
  }
}

extension JSONValue {
  /// The value as the text of a cell. Nil for null, an array or an object.
  var cell: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .null, .array, .object: nil
    }
  }
}
