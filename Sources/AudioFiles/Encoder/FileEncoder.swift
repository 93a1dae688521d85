// SPDX-License-Identifier: Apache-2.0
/// Who encodes a file.
public enum FileEncoder: String, Sendable, Hashable, CaseIterable {
  /// libsndfile; what it does not write, `ffmpeg`.
  case automatic = "auto"
  /// libsndfile alone.
  case none
}
