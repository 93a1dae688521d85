// SPDX-License-Identifier: Apache-2.0
/// A sink in front of another. It passes on every call that it does not implement itself.
///
/// ```swift
/// final class Counter: WrappingSink {
///   let sink: any AudioSink
///   var samples = 0
///   init(_ sink: any AudioSink) { self.sink = sink }
///   func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
///     self.samples += samples.count
///     return try sink.write(samples)
///   }
///   func appendSilence(_ length: Int64) -> Bool { false }
/// }
/// ```
///
/// A sink that changes the format or the number of samples implements `initialize`, `room` and `receive`, too, and one
/// that has to see every sample answers false to `appendSilence`.
public protocol WrappingSink: AudioSink {
  /// The sink behind this one.
  var sink: any AudioSink { get }
}

extension WrappingSink {
  public var precision: SamplePrecision { sink.precision }
  public var pace: Pace { sink.pace }
  public var room: Int { sink.room }

  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    try sink.initialize(proposing: proposal, wakeup: wakeup)
  }

  public func start() throws(AudioError) { try sink.start() }

  public func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    try sink.write(samples)
  }

  public func ready<Sample: AudioSample>(
    _ count: Int, as type: Sample.Type
  ) throws(AudioError) -> Int {
    try sink.ready(count, as: type)
  }

  public func appendSilence(_ length: Int64) throws(AudioError) -> Bool {
    try sink.appendSilence(length)
  }

  public func receive(_ notice: SinkNotice) throws(AudioError) { try sink.receive(notice) }
  public func stop(_ reason: StopReason) throws(AudioError) { try sink.stop(reason) }
  public func dispose() { sink.dispose() }
}
