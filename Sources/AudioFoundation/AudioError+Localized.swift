// SPDX-License-Identifier: Apache-2.0
// Its own types appear together with those below it.
@_exported public import AudioCore
public import FoundationEssentials

/// The texts that Foundation shows of an error, such as its `localizedDescription`. They are in English.
extension AudioError: LocalizedError {
  /// The failed action, its object and the reason, in one line: `cannot open 'x.wav': no such file`. The advice is the
  /// ``recoverySuggestion``.
  public var errorDescription: String? {
    var error = self
    error.advice = nil
    return error.description
  }

  /// Why; the ``reason``.
  public var failureReason: String? { reason }

  /// The ``advice``, if there is any.
  public var recoverySuggestion: String? { advice }
}
