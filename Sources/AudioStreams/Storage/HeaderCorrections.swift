// SPDX-License-Identifier: Apache-2.0
/// Facts from the user about a file whose header omits or misstates them.
package struct HeaderCorrections: Sendable, Hashable {
  /// The position of up to 24 bits in the four bytes of a WAV sample; nil = guessed from the samples.
  package var paddedBits: PaddedBits?
  /// Whether samples beyond the header's length are read.
  package var ignoresLength = false

  /// Makes a value without corrections.
  package init() {}
}

/// The position of samples of 17 to 24 bits in four bytes.
package enum PaddedBits: Sendable, Hashable {
  /// In the low three, as in ALSA's `S24_LE`.
  case low
  /// In the high three, as in the description of WAVE.
  case high
}

/// A choice that reading a header needed.
package enum HeaderReading: Sendable, Hashable {
  /// The position of up to 24 bits in four bytes; `isStated`: whether the user stated it, otherwise it is guessed from
  /// the samples.
  case paddedBits(PaddedBits, isStated: Bool)
  /// The header states a number of bytes for a sample of every channel that contradicts its bits, its channels or its
  /// byte rate; `taken` is the number used for reading.
  case blockAlign(stated: Int, taken: Int)
}
