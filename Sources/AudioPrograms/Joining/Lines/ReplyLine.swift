// SPDX-License-Identifier: Apache-2.0
/// The lines to clients: replies and the session's events.
enum ReplyLine {
  /// `{"schema":1,"ok":true,…}`, with its line break.
  static func accepted(_ members: [(name: String, value: JSONValue)] = []) -> [UInt8] {
    line([("schema", .integer(1)), ("ok", .boolean(true))] + members)
  }

  /// `{"schema":1,"ok":false,"error":"…"}`, with its line break.
  static func refused(_ error: AudioError) -> [UInt8] {
    line([
      ("schema", .integer(1)), ("ok", .boolean(false)), ("error", .string(error.description)),
    ])
  }

  /// `{"schema":1,"event":"joined",…}`, with its line break.
  static func event(_ name: String, _ members: [(name: String, value: JSONValue)]) -> [UInt8] {
    line([("schema", .integer(1)), ("event", .string(name))] + members)
  }

  private static func line(_ members: [(name: String, value: JSONValue)]) -> [UInt8] {
    Array(JSONValue.object(members).compact.utf8) + [0x0A]
  }
}
