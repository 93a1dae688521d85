// SPDX-License-Identifier: Apache-2.0
/// A stream that a file is made of: the facts that its name, its encoding and its life depend on. An observed stream
/// of a session is one.
public protocol TappedStream {
  /// The stream's part of a file name, without path separators.
  var name: String { get }
  /// The widest encoding among the sources that feed the stream.
  var encoding: SampleEncoding { get }
  /// Whether the session moves at a device's own pace, so that nothing may hold it up.
  var isLive: Bool { get }
  /// Whether the session could be run again and give the same: none of its sources is a device or a pipe.
  var isRepeatable: Bool { get }
}
