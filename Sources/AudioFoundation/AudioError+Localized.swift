// SPDX-License-Identifier: Apache-2.0
// Its own types appear together with those below it.
@_exported public import AudioCore
public import FoundationEssentials

/// What Foundation shows of an error, such as its `localizedDescription` and an alert. The texts are English.
extension AudioError: LocalizedError {
  /// What failed, on what and why, in one line: `cannot open 'x.wav': no such file`. The advice is the
  /// ``recoverySuggestion``.
  public var errorDescription: String? {
    var error = self
    error.advice = nil
    return error.description
  }

  /// Why; the ``reason``.
  public var failureReason: String? { reason }

  /// What to do next; the ``advice``, where there is any.
  public var recoverySuggestion: String? { advice }
}
