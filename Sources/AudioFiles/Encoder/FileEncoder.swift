// SPDX-License-Identifier: Apache-2.0
/// The encoder of a file.
public enum FileEncoder: String, Sendable, Hashable, CaseIterable {
  /// libsndfile; `ffmpeg` for formats that it does not write.
  case automatic = "auto"
  /// libsndfile alone.
  case none
}
