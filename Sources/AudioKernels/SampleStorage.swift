// SPDX-License-Identifier: Apache-2.0
/// The plain encodings, which store every sample on its own.
public enum SampleStorage: UInt8, Sendable, Hashable, CaseIterable {
  case s8
  case u8
  case s16
  /// 24 bits in three bytes.
  case s24
  /// 24 bits in the low three bytes of four, sign-extended (ALSA's `S24_LE`).
  case s24In32
  case s32
  case f32
  case f64
  case ulaw
  case alaw
}
