// SPDX-License-Identifier: Apache-2.0
/// A line of a client in control.
enum ControlCommand: Sendable, Equatable {
  /// `{"set":"anna","gain":-6,"muted":false}`, `{"set":"hall/anna",…}`: in decibels; nil leaves a value unchanged.
  case set(SourceKey, gain: Double?, muted: Mute?)
  /// `{"remove":"anna","drain":true}`
  case remove(SourceKey, draining: Bool)
  /// `{"clear":"anna"}`
  case clear(SourceKey)
  /// `{"split":true}`
  case split
  /// `{"status":true}`
  case status
  /// `{"stop":true}`
  case stop

  /// The values of `muted`: false, true, `"everywhere"`.
  enum Mute: Sendable, Equatable {
    case off
    case inSums
    case everywhere
  }

  /// In decibels.
  static let gains = -200.0...60.0

  /// - Parameter line: without its line break.
  /// - Throws: `malformed` if the line is no JSON object; `invalidParameter`, naming the key, if a key is unknown,
  ///   missing, or has an invalid value.
  init(_ line: some Collection<UInt8>) throws(AudioError) {
    var members = try LineMembers(line)
    let kinds = ["set", "remove", "clear", "split", "status", "stop"].filter { members.has($0) }
    guard kinds.count == 1, let kind = kinds.first else {
      throw AudioError(
        .invalidParameter, cannot: "understand the line", "",
        because: kinds.isEmpty ? "it has no command" : "it has \(kinds.count) commands",
        advice: "a line has one of set, remove, clear, split, status and stop")
    }
    var known = [kind]
    switch kind {
    case "set":
      known += ["gain", "muted"]
      let id = try members.key(kind)
      let gain = try members.number("gain", in: Self.gains)
      let muted = try members.mute("muted")
      guard let id, gain != nil || muted != nil || !members.isEmpty else {
        throw AudioError(
          .invalidParameter, cannot: "set", "", because: "the keys 'gain' and 'muted' are missing")
      }
      self = .set(id, gain: gain, muted: muted)
    case "remove", "clear":
      guard let id = try members.key(kind) else { throw LineMembers.refusal(kind, "true") }
      if kind == "clear" {
        self = .clear(id)
      } else {
        known.append("drain")
        self = .remove(id, draining: try members.boolean("drain") ?? false)
      }
    default:
      guard try members.boolean(kind) == true else { throw LineMembers.refusal(kind, "true") }
      self = kind == "split" ? .split : kind == "status" ? .status : .stop
    }
    try members.requireEmpty(of: known)
  }
}

extension LineMembers {
  /// True, false or `"everywhere"`; nil without the member.
  fileprivate mutating func mute(_ name: String) throws(AudioError) -> ControlCommand.Mute? {
    guard let value = take(name) else { return nil }
    if let flag = value.flag { return flag ? .inSums : .off }
    guard value.text == "everywhere" else {
      throw Self.refusal(name, "true, false or \"everywhere\"")
    }
    return .everywhere
  }
}
