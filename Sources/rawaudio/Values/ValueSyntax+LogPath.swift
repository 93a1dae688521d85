// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles

extension ValueSyntax<String> {
  /// The name of a log or table: a path, or a pattern of times.
  static let logPath = ValueSyntax(name: "file") { (text: String) throws(InvalidValue) in
    if text.isEmpty { throw InvalidValue("the name is empty") }
    do throws(AudioError) {
      _ = try LogNames(text, in: .utc)
    } catch {
      throw InvalidValue(error.reasonAndAdvice)
    }
    return text
  }.offering { _ in [.path(behind: "")] }
}
