// SPDX-License-Identifier: Apache-2.0
internal import CJACK

/// A port of this client, valid until it is unregistered or the client closed. Corresponds to `jack_port_t`.
@safe
struct PortHandle: BitwiseCopyable, @unchecked Sendable {
  /// For the calls in this target only.
  let port: OpaquePointer

  /// With the client's name in front.
  var name: String { unsafe jack_port_name(port).map { unsafe String(cString: $0) } ?? "" }

  /// The samples per channel between the port and its loudspeaker or microphone.
  func latency(_ direction: DeviceDirection) -> ClosedRange<Int> {
    var range = jack_latency_range_t()
    let mode = direction == .capture ? JackCaptureLatency : JackPlaybackLatency
    unsafe jack_port_get_latency_range(port, mode, &range)
    let (low, high) = (Int(range.min), Int(range.max))
    return min(low, high)...max(low, high)
  }

  /// Only within the server's callback for latencies.
  func setLatency(_ direction: DeviceDirection, _ latency: ClosedRange<Int>) {
    var range = jack_latency_range_t(
      min: jack_nframes_t(latency.lowerBound), max: jack_nframes_t(latency.upperBound))
    let mode = direction == .capture ? JackCaptureLatency : JackPlaybackLatency
    unsafe jack_port_set_latency_range(port, mode, &range)
  }
}
