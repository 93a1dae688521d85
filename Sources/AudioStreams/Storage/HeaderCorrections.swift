// SPDX-License-Identifier: Apache-2.0
/// Facts about a file that its header does not state, or states wrongly, and that the user knows.
package struct HeaderCorrections: Sendable, Hashable {
  /// Where up to 24 bits lie in the four bytes of a WAV sample; nil = as the samples look.
  package var paddedBits: PaddedBits?
  /// Whether samples are read that stand behind the length that the header states.
  package var ignoresLength = false

  /// Corrects nothing.
  package init() {}
}

/// Where samples of 17 to 24 bits lie in four bytes.
package enum PaddedBits: Sendable, Hashable {
  /// In the low three, as ALSA's `S24_LE` has them.
  case low
  /// In the high three, as the description of WAVE has them.
  case high
}

/// A choice that reading a header needed.
package enum HeaderReading: Sendable, Hashable {
  /// Where up to 24 bits lie in four bytes; `isStated`: because the user says so, else because the samples look so.
  case paddedBits(PaddedBits, isStated: Bool)
  /// The header states a number of bytes for a sample of every channel that contradicts its bits, its channels or
  /// its byte rate; `taken` is the number that was read by.
  case blockAlign(stated: Int, taken: Int)
}
