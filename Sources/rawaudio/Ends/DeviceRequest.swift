// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioNetwork

/// The requests of a command line to a live end. Each end reads the relevant ones. A nil value is left to the end.
struct DeviceRequest {
  /// In hertz.
  var sampleRate: Int?
  var ratePolicy: RatePolicy?
  var channelCount: Int?
  var encoding: SampleEncoding?
  /// The encoding to approximate if ``encoding`` is nil.
  var preferredEncoding = SampleEncoding.s16
  var gapPolicy = GapPolicy.fill
  var lossPolicy = LossPolicy.fail
  var period: DeviceLength?
  var buffer: DeviceLength?
  /// The storage between the end's thread and the session.
  var ring: DeviceLength?
  /// How long samples may wait between the end and the session. Nil = each transfer moves at once.
  var latency: Duration?
  /// The program's name at a sound server.
  var clientName: String?
  var network = NetworkOptions()
  /// A file with a user name and a password for a server.
  var credentialsFile: String?
  /// The level of SCHED_FIFO for the end's thread.
  var priority: Int?
  /// Whether the end is needed at present, for one that can rest. Nil = always.
  var isNeeded: (() -> Bool)?
}
