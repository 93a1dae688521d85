// SPDX-License-Identifier: Apache-2.0
/// The facts of a stream that decide the name, the encoding and the life of a file made from it. An observed stream of
/// a session is one.
public protocol TappedStream {
  /// The stream's part of a file name, without path separators.
  var name: String { get }
  /// The widest encoding among the sources that feed the stream.
  var encoding: SampleEncoding { get }
  /// Whether the session moves at a device's own pace and must not be delayed.
  var isLive: Bool { get }
  /// Whether running the session again would give equal samples: none of its sources is a device or a pipe.
  var isRepeatable: Bool { get }
}
