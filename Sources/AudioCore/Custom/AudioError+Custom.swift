// SPDX-License-Identifier: Apache-2.0
extension AudioError {
  /// Returns the error of a source without a format in a session that proposes none.
  static func noFormat(of name: String) -> Self {
    Self(
      .invalidParameter, cannot: "initialize", name,
      because: "it states no format and the session proposes none", advice: "state a format")
  }

  /// Returns the error of a custom end in its second session.
  static func usedBefore(_ name: String) -> Self {
    Self(
      .lifeCycle, cannot: "initialize", name, because: "it was used before",
      advice: "make a new one for each session")
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

extension StreamFormat {
  /// Returns the capacity of the ring of the custom end `name`, in samples per channel.
  ///
  /// - Parameter asked: nil = one second.
  /// - Throws: `invalidParameter` for less than one sample.
  func ringCapacity(_ asked: Int?, of name: String) throws(AudioError) -> Int {
    let capacity = asked ?? sampleRate
    guard capacity > 0 else {
      throw AudioError(
        .invalidParameter, cannot: "initialize", name,
        because: "its ring holds \(capacity) samples", advice: "1 is the least")
    }
    return capacity
  }
}
