// SPDX-License-Identifier: Apache-2.0
extension AudioError {
  /// A source that follows the session, in a session that has no format to follow.
  static func noFormat(of name: String) -> Self {
    Self(
      .invalidParameter, cannot: "initialize", name,
      because: "it states no format and the session proposes none", advice: "state a format")
  }

  /// Calls the closure with which the custom end `name` begins its life.
  ///
  /// - Throws: `lifeCycle` if the closure returns false; the error that it throws.
  static func initialize(_ name: String, _ closure: () throws -> Bool) throws(AudioError) {
    guard try wrapping(cannot: "initialize", name, closure) else {
      throw AudioError(
        .lifeCycle, cannot: "initialize", name, because: "its initialize answered false")
    }
  }
}
