// SPDX-License-Identifier: Apache-2.0
/// A sink in front of another, to which it hands on whatever it does not treat itself.
package protocol WrappingSink: AudioSink {
  /// The other one.
  var sink: any AudioSink { get }
}

extension WrappingSink {
  package var precision: SamplePrecision { sink.precision }
  package var pace: Pace { sink.pace }
  package var room: Int { sink.room }

  package func start() throws(AudioError) { try sink.start() }

  package func receive(_ notice: SinkNotice) throws(AudioError) { try sink.receive(notice) }

  package func stop(_ reason: StopReason) throws(AudioError) { try sink.stop(reason) }

  package func dispose() { sink.dispose() }
}
