// SPDX-License-Identifier: Apache-2.0
/// A failure, described so that a person can act on it: what failed, on what, why, and what to do next.
///
/// Every throwing function of AudioCore throws this type and no other. An error of another type, which a closure of
/// the program threw, is its ``underlying``.
public struct AudioError: Error, Sendable, Equatable {
  /// What sort of failure this is, for callers that decide by it.
  public enum Kind: Sendable, Equatable {
    /// A file, device or source of that name does not exist.
    case notFound
    /// The name exists but cannot be used: a directory, missing permission, a busy device.
    case unavailable
    /// The data is not what its name or header claims.
    case malformed
    /// The data is of no kind that is known: text, headerless samples, something else.
    case unrecognised
    /// The request is legal but this file format, device or library cannot do it.
    case unsupported
    /// The caller's parameters contradict the documented contract.
    case invalidParameter
    /// An output exists already and overwriting was not asked for.
    case alreadyExists
    /// Reading or writing failed half-way: a full disk, an input/output error.
    case inputOutput
    /// The device went away while it was in use.
    case deviceLost
    /// The session was asked to end while this was waiting.
    case interrupted
    /// A custom source, sink or observer broke its life cycle.
    case lifeCycle
    /// A closure or an observer of the program failed with an error of another type, which
    /// ``AudioError/underlying`` is.
    case underlying
  }

  public var kind: Kind
  /// The action that failed, as a verb phrase that follows "cannot": "open", "write to".
  public var action: String
  /// What it failed on: a path, a device, a source id; printed in quotes. Empty where there is none.
  public var subject: String
  /// Why, in lower case and without a full stop.
  public var reason: String
  /// What to do next, where there is something to do.
  public var advice: String?
  /// Whether what a source gave before is whole by itself: the session completes its outputs with it, and throws then.
  package var keepsWhatCame = false
  /// The error of another type that this one was made of; nil where there is none. Two errors are compared without it.
  public private(set) var underlying: (any Error)?

  public init(
    _ kind: Kind, cannot action: String, _ subject: String, because reason: String,
    advice: String? = nil
  ) {
    self.kind = kind
    self.action = action
    self.subject = subject
    self.reason = reason
    self.advice = advice
  }

  /// An error of any type as one of this.
  ///
  /// An `AudioError` stays as it is: it knows better what failed. Any other becomes one of kind ``Kind/underlying``,
  /// whose ``reason`` is the description of `error` in one line.
  ///
  /// ```swift
  /// stream.fail(AudioError(wrapping: error, cannot: "store", "levels.db"))
  /// ```
  ///
  /// - Parameters:
  ///   - error: the error; ``underlying`` afterwards unless it is an `AudioError`.
  ///   - action: the action that failed, a verb phrase that follows "cannot".
  ///   - subject: what it failed on; empty where there is nothing to say.
  public init(wrapping error: any Error, cannot action: String = "go on", _ subject: String = "") {
    if let error = error as? AudioError {
      self = error
      return
    }
    let lines = String(describing: error).split(whereSeparator: \.isNewline)
    self.init(
      .underlying, cannot: action, subject, because: lines.joined(separator: " "))
    underlying = error
  }

  /// Returns the result of `body`. Wraps an error that it throws, as ``init(wrapping:cannot:_:)`` does.
  package static func wrapping<Result: ~Copyable>(
    cannot action: String, _ subject: String, _ body: () throws -> Result
  ) throws(AudioError) -> Result {
    do {
      return try body()
    } catch {
      throw AudioError(wrapping: error, cannot: action, subject)
    }
  }

  public static func == (one: Self, other: Self) -> Bool {
    one.kind == other.kind && one.action == other.action && one.subject == other.subject
      && one.reason == other.reason && one.advice == other.advice
      && one.keepsWhatCame == other.keepsWhatCame
  }
}

extension AudioError: CustomStringConvertible {
  /// The whole error in one line: `cannot open 'x.wav': no such file (did you mean …)`. Bytes of a path that are
  /// no UTF-8 stand there as in ``Pathname/description``.
  public var description: String {
    let object = subject.isEmpty ? "" : " '\(subject)'"
    let next = advice.map { "; \($0)" } ?? ""
    return Pathname.shown(in: "cannot \(action)\(object): \(reason)\(next)")
  }
}
