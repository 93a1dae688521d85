// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// An alarm that begins or ends.
struct AlarmChange: DescribedEvent, Sendable, Equatable {
  var kind: AlarmKind
  var begins: Bool
  /// The position in the stream, in samples per channel. Nil if the alarm is not about samples.
  var position: Int64?
  /// The time of day of ``position``, or of the change, with its zone. Nil if unknown.
  var time: String?
  /// The measured value: dBFS, a count, bytes or seconds, depending on the alarm.
  var value: Double?
  /// The length of the alarm in seconds. Set at its end.
  var lasted: Double?
  /// The output concerned.
  var output: String?
  /// Its channel, from 1. Nil if the alarm is not about samples, or if there is one channel only.
  var channel: Int?
  /// The device concerned, and its source.
  var device: String?
  var source: SourceKey?
  /// The reason for the loss of the device.
  var reason: String?
  /// The rate of `position`, in hertz.
  var sampleRate = 1
  /// The requested limits.
  var request = AlarmRequest()

  static let name = "alarm"
  static let members: [Member<AlarmChange>] = [
    Member("alarm") { .string($0.kind.rawValue) },
    Member("state") { .string($0.begins ? "begin" : "end") },
    Member(optional: "output") { $0.output.map { .path($0) } },
    Member(optional: "channel") { $0.channel.map { .count($0) } },
    Member(optional: "source") { $0.source.map { .string($0.description) } },
    Member(optional: "device") { $0.device.map { .string($0) } },
    Member(optional: "samplePosition") { $0.position.map { .integer($0) } },
    Member(optional: "sampleRate") { $0.position == nil ? nil : .count($0.sampleRate) },
    Member(optional: "time") { $0.time.map { .string($0) } },
    Member(optional: "reason") { $0.reason.map { .string($0) } },
    Member(optional: "value") { $0.value.map { .figure($0) } },
    Member(optional: "seconds") { $0.lasted.map { .figure($0) } },
  ]

  var isSpokenBesideJSON: Bool { true }

  var sentences: [Sentence] {
    guard let words else { return [] }
    let length = lasted.map { ", after \($0.decimal(1)) s" } ?? ""
    return [.note("\(begins ? "alarm" : "alarm over"): \(words)\(length)")]
  }

  /// Nil for a device: ``RunEvent/Absence`` reports it.
  private var words: String? {
    let name = (output.map { "'\($0)'" } ?? "") + (channel.map { ", channel \($0)," } ?? "")
    let time = position.map { clockTime($0, at: sampleRate) } ?? ""
    let value = value ?? 0
    return switch (kind, begins) {
    case (.silence, true):
      "\(name) is silent since \(time): nothing has reached \(request.silenceLevel.decimal(0)) dBFS"
    case (.silence, false): "\(name) is not silent any more"
    case (.level, true):
      "\(name) is too \(isLoud(value) ? "loud" : "quiet") at \(time): \(value.decimal(1)) dBFS RMS"
    case (.level, false): "the level of \(name) is \(value.decimal(1)) dBFS RMS again"
    case (.clipping, true):
      "\(name) clips at \(time): \(value.decimal(0)) samples in a row at full scale"
    case (.clipping, false): "\(name) does not clip any more"
    case (.xruns, true): "\(value.decimal(0)) xruns, more than \(request.xruns?.text ?? "")"
    case (.xruns, false): "xruns are rare again"
    case (.space, true): "the disk has room for \(amount(value)) only"
    case (.space, false): "the disk has room for \(amount(value)) again"
    case (.device, _): nil
    }
  }

  private func isLoud(_ level: Double) -> Bool {
    request.level?.highest.map { level > $0 } ?? false
  }

  private func amount(_ room: Double) -> String {
    if case .bytes = request.space { return "\((room / 1e9).decimal(1)) GB" }
    return "\((room / 3_600).decimal(1)) h"
  }
}
