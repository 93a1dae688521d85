// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Glibc
internal import Synchronization

// The only exits from the code that the compiler proves free of allocation and locks. Each function here is one C call of
// the server's thread, and libjack documents it as safe there; nothing else belongs in this file.

/// The server's count of samples per channel at the beginning of the present cycle. The server advances it while a client
/// is late.
@_semantics("no_performance_analysis")
func frameTime(_ client: OpaquePointer) -> UInt32 { unsafe jack_last_frame_time(client) }

/// The samples of a port in the present cycle.
@_semantics("no_performance_analysis")
func samples(of port: PortHandle, _ count: Int) -> UnsafeMutablePointer<Float>? {
  unsafe jack_port_get_buffer(port.port, jack_nframes_t(count))?
    .assumingMemoryBound(to: Float.self)
}

/// The corresponding C function is `usleep`. Only while the server does not keep time.
@_semantics("no_performance_analysis")
func nap(microseconds: Int) { usleep(useconds_t(microseconds)) }

@_semantics("no_performance_analysis")
func clear(_ place: UnsafeMutablePointer<Float>, _ count: Int) {
  unsafe memset(place, 0, count * MemoryLayout<Float>.size)
}

@_semantics("no_performance_analysis")
func copy(_ count: Int, from source: UnsafeRawPointer, to place: UnsafeMutableRawPointer) {
  unsafe memcpy(place, source, count)
}
