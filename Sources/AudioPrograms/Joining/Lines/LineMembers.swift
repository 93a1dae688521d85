// SPDX-License-Identifier: Apache-2.0
/// The members of a client's line, taken one by one; ``requireEmpty(of:)`` refuses the rest.
///
/// A member of the wrong type, such as `null`, is an error with its name and the right type.
struct LineMembers {
  /// The longest line of a client, in bytes without its line break.
  static let longestLine = 1 << 16

  private var members: JSONValue.Members

  /// - Throws: `malformed` if `line` is no JSON object.
  init(_ line: some Collection<UInt8>) throws(AudioError) {
    guard case .object(let members) = try JSONValue(reading: line) else {
      throw AudioError(
        .malformed, cannot: "understand the line", "", because: "it is not a JSON object")
    }
    self.members = members
  }

  var isEmpty: Bool { members.isEmpty }

  func has(_ name: String) -> Bool { members.contains { $0.name == name } }

  mutating func string(_ name: String) throws(AudioError) -> String? {
    guard let value = take(name) else { return nil }
    guard let text = value.text else { throw Self.refusal(name, "a string") }
    return text
  }

  /// The id of a source or a group; short, because it becomes a part of file names.
  mutating func id(_ name: String) throws(AudioError) -> SourceID? {
    guard let text = try string(name) else { return nil }
    guard text.utf8.count <= Self.longestID else {
      throw Self.refusal(name, "at most \(Self.longestID) characters")
    }
    return try SourceID(text)
  }

  /// A source: its id, or `GROUP/ID`.
  mutating func key(_ name: String) throws(AudioError) -> SourceKey? {
    guard let text = try string(name) else { return nil }
    guard text.split(separator: "/").allSatisfy({ $0.utf8.count <= Self.longestID }) else {
      throw Self.refusal(name, "an id of at most \(Self.longestID) characters, or GROUP/ID")
    }
    return try SourceKey(text)
  }

  static let longestID = 64

  mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(AudioError) -> Int? {
    guard let value = take(name) else { return nil }
    // Many languages write an integer as 16000.0.
    guard let number = value.double.flatMap({ Int(exactly: $0) }), range.contains(number) else {
      throw Self.refusal(name, "an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  mutating func number(_ name: String, in range: ClosedRange<Double>) throws(AudioError) -> Double?
  {
    guard let value = take(name) else { return nil }
    guard let number = value.double, range.contains(number) else {
      throw Self.refusal(
        name, "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
    }
    return number
  }

  mutating func boolean(_ name: String) throws(AudioError) -> Bool? {
    guard let value = take(name) else { return nil }
    guard let flag = value.flag else { throw Self.refusal(name, "true or false") }
    return flag
  }

  /// One of the strings in `choices`.
  mutating func choice<Value>(
    _ name: String, of choices: [(name: String, value: Value)]
  ) throws(AudioError) -> Value? {
    guard let value = take(name) else { return nil }
    guard let choice = choices.first(where: { $0.name == value.text }) else {
      let names = choices.map { JSONValue.string($0.name).compact }
      throw Self.refusal(name, "one of " + names.joined(separator: ", "))
    }
    return choice.value
  }

  /// - Throws: `invalidParameter`, naming the members that were not taken.
  func requireEmpty(of known: [String]) throws(AudioError) {
    guard !members.isEmpty else { return }
    throw AudioError(
      .invalidParameter, cannot: "use",
      members.map { String($0.name.prefix(40)) }.joined(separator: "', '"),
      because: members.count == 1 ? "there is no such key here" : "there are no such keys here",
      advice: "the keys are " + known.joined(separator: ", "))
  }

  /// Removes a member and returns its value.
  mutating func take(_ name: String) -> JSONValue? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    return members.remove(at: index).value
  }

  static func refusal(_ name: String, _ wanted: String) -> AudioError {
    AudioError(.invalidParameter, cannot: "use", name, because: "it must be \(wanted)")
  }
}

/// The lines to clients: replies and the session's events.
enum ReplyLine {
  /// The first member of each line: the version of all that `docs/joining.md` describes. It grows if a member or a header
  /// changes its meaning or goes.
  static let schema: (name: String, value: JSONValue) = ("schema", .integer(1))

  /// `{"schema":1,"ok":true,…}`, with its line break.
  static func accepted(_ members: JSONValue.Members = []) -> [UInt8] {
    line([schema, ("ok", .boolean(true))] + members)
  }

  /// `{"schema":1,"ok":false,"error":"…"}`, with its line break.
  static func refused(_ error: AudioError) -> [UInt8] {
    line([schema, ("ok", .boolean(false)), ("error", .string(error.description))])
  }

  /// `{"schema":1,"event":"joined",…}`, with its line break.
  static func event(_ name: String, _ members: JSONValue.Members) -> [UInt8] {
    line([schema, ("event", .string(name))] + members)
  }

  private static func line(_ members: JSONValue.Members) -> [UInt8] {
    Array(JSONValue.object(members).compact.utf8) + [0x0A]
  }
}
