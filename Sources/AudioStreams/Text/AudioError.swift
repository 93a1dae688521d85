// SPDX-License-Identifier: Apache-2.0
/// An error, described so that a person can act on it: the action, its subject, the reason and some advice.
///
/// Every throwing function of AudioCore throws only this type. An error of another type, from a closure of the program,
/// becomes its ``underlying``.
public struct AudioError: Error, Sendable, Equatable {
  /// The kind of error, for callers that decide by it.
  @nonexhaustive
  public enum Kind: Sendable, Equatable {
    /// A file, device or source of that name does not exist.
    case notFound
    /// The name exists but cannot be used: a directory, missing permission, a busy device.
    case unavailable
    /// The data contradicts its name or header.
    case malformed
    /// The data is of an unknown kind: text, headerless samples, something else.
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
    /// A closure or an observer of the program failed with an error of another type: ``AudioError/underlying``.
    case underlying
  }

  public var kind: Kind
  /// The action that failed, as a verb phrase that follows "cannot": "open", "write to".
  public var action: String
  /// The subject of the action: a path, a device, a source id; printed in quotes. Empty if there is none.
  public var subject: String
  /// The reason, in lower case and without a full stop.
  public var reason: String
  /// Advice for the next step, if any.
  public var advice: String?
  /// Whether the samples that a source gave before the error are complete in themselves: the session completes its
  /// outputs with them, then throws.
  package var keepsWhatCame = false
  /// The error of another type that this one wraps; nil if there is none. Comparisons ignore it.
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

  /// Wraps an error of any type.
  ///
  /// An `AudioError` stays unchanged: its description is more precise. Any other error becomes one of kind
  /// ``Kind/underlying``, whose ``reason`` is the description of `error` in one line.
  ///
  /// ```swift
  /// stream.fail(AudioError(wrapping: error, cannot: "store", "levels.db"))
  /// ```
  ///
  /// - Parameters:
  ///   - error: the error; ``underlying`` afterwards unless it is an `AudioError`.
  ///   - action: the action that failed, a verb phrase that follows "cannot".
  ///   - subject: the subject of the action; empty if there is none.
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

  /// Throws `invalidParameter` if a parameter does not have an allowed value.
  ///
  /// - Parameters:
  ///   - name: the parameter; the action is to use it.
  ///   - value: the subject.
  package static func require(
    _ isAllowed: Bool, _ name: @autoclosure () -> String, _ value: @autoclosure () -> String,
    because reason: @autoclosure () -> String, advice: @autoclosure () -> String? = nil
  ) throws(AudioError) {
    if isAllowed { return }
    throw AudioError(
      .invalidParameter, cannot: "use \(name())", value(), because: reason(), advice: advice())
  }

  public static func == (one: Self, other: Self) -> Bool {
    one.kind == other.kind && one.action == other.action && one.subject == other.subject
      && one.reason == other.reason && one.advice == other.advice
      && one.keepsWhatCame == other.keepsWhatCame
  }
}

extension AudioError: CustomStringConvertible {
  /// The whole error in one line: `cannot open 'x.wav': no such file (did you mean …)`. Bytes of a path that are not
  /// UTF-8 appear as in ``Pathname/description``. Addresses have no user names, passwords and keys.
  public var description: String {
    let object = subject.isEmpty ? "" : " '\(subject)'"
    let next = advice.map { "; \($0)" } ?? ""
    return Pathname.shown(in: "cannot \(action)\(object): \(reason)\(next)".withoutSecrets)
  }
}
