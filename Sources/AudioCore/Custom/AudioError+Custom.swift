// SPDX-License-Identifier: Apache-2.0
extension AudioError {
  /// Returns the error of a source without a format in a session that proposes none.
  static func noFormat(of name: String) -> Self {
    Self(
      .invalidParameter, cannot: "initialize", name,
      because: "it states no format and the session proposes none", advice: "state a format")
  }

  /// Calls the closure that initialises the custom end `name`.
  ///
  /// - Throws: the error of the closure; `lifeCycle` if it returns false.
  static func initialize(_ name: String, _ closure: () throws -> Bool) throws(AudioError) {
    guard try wrapping(cannot: "initialize", name, closure) else {
      throw AudioError(
        .lifeCycle, cannot: "initialize", name, because: "its initialize answered false")
    }
  }
}
