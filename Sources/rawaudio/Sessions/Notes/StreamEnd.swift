// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// What is told of a run whose pipe or FIFO a signal has ended.
struct StreamEnd {
  private let command: CommandSession
  private let report: SessionReport
  /// `SIGINT`.
  private let signal: String

  /// - Parameter signal: the first; nil if there was none.
  /// - Returns: nil if no signal has ended the input, and if that is the usual end.
  init?(of command: CommandSession, _ report: SessionReport, by signal: Int32?) {
    guard let signal, command.liveness == .stream, report.outcome == .stopped else { return nil }
    self.command = command
    self.report = report
    self.signal = Self.name(of: signal)
  }

  /// Whether the signal came before anything else.
  var isEmpty: Bool { report.sources.isEmpty }

  /// One for each file or stream that is written, in the order of the session.
  var notes: [String] {
    if isEmpty { return ["\(signal) ended the input before anything came"] }
    let kept = report.sinks.filter { command.outputs[$0.place]?.soundFileFormat != nil }
    if kept.isEmpty, let source = report.sources.first {
      return ["\(signal) ended the input after \(length(source.samplesPerChannel, source.format))"]
    }
    return kept.map { sink in
      let name = command.outputs[sink.place]?.name ?? ""
      return "\(signal) ended the input; '\(name)' is complete, with"
        + " \(length(sink.samplesPerChannel, sink.format))"
    }
  }

  private func length(_ count: Int64, _ format: StreamFormat) -> String {
    "\(count) samples per channel (\((Double(count) / Double(format.sampleRate)).decimal(3)) s)"
  }

  private static func name(of signal: Int32) -> String {
    switch signal {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "signal \(signal)"
    }
  }
}
