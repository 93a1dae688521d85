// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The commands that run beside a recording.
struct HookRequest {
  /// A command that the shell runs for each complete part.
  @Option(
    "on-part", .shellCommand, group: .unattended, givenOnce: true,
    help: """
      Have the shell run this for every part that is complete, or for the only file, beside the recording. \
      RAWAUDIO_PART is its path, RAWAUDIO_PART_JSON its details.
      """)
  var partCommand: String?
  @Option(
    "on-part-timeout", .duration, group: .unattended,
    help: "End the command of --on-part, as failed, when it takes longer.")
  var partLimit: Duration?
  @Option(
    "on-part-retry", .retry, default: "10s", group: .unattended,
    help: """
      Run it again so long after it failed, then after pauses that double up to an hour, also in later runs; none runs \
      it once.
      """)
  var partRetry: Retry
  @Option(
    "on-part-jobs", .partJobs, default: "1", group: .unattended,
    help: "How many parts it may run for at once.")
  var partJobs: Int
  @Option(
    "on-alarm", .shellCommand, group: .unattended, givenOnce: true,
    help: """
      Have the shell run this when an alarm begins or ends. RAWAUDIO_ALARM is its kind, RAWAUDIO_ALARM_STATE begin or \
      end, RAWAUDIO_ALARM_JSON its details.
      """)
  var alarmCommand: String?

  /// How often, how long and how many at once the command of --on-part runs.
  var partPolicy: CommandQueue.Policy {
    var policy = CommandQueue.Policy()
    policy.atOnce = partJobs
    policy.limit = partLimit
    if case .after(let pause) = partRetry { policy.pause = pause }
    return policy
  }

  /// - Parameter sinks: the sinks of the session.
  func check(_ sinks: [SinkEndpoint]) throws(UsageError) {
    let details = [$partLimit, $partRetry, $partJobs]
    if partCommand == nil, let detail = details.first(where: \.isGiven) {
      throw UsageError(detail, needs: [$partCommand])
    }
    if partCommand != nil { try sinks.requireFile(for: $partCommand) }
  }
}

extension HookRequest {
  /// Whether a command that failed runs again.
  enum Retry: Sendable, Equatable {
    case never
    /// The first pause.
    case after(Duration)
  }
}

extension ValueSyntax<HookRequest.Retry> {
  fileprivate static let retry = ValueSyntax(name: "pause", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    if text == "none" { return .never }
    return .after(try ValueSyntax<Duration>.duration.parse(text))
  }.offering("none")
}

extension ValueSyntax<Int> {
  fileprivate static let partJobs = ValueSyntax(
    name: "number", isNumeric: true, otherwise: "it is a number from 1 to 64"
  ) { text in
    Int(text).flatMap { (1...64).contains($0) ? $0 : nil }
  }
}

extension [SinkEndpoint] {
  /// - Throws: if no sink is a file.
  func requireFile(for option: Declaration) throws(UsageError) {
    guard allSatisfy({ $0.partFolder == nil }) else { return }
    throw UsageError("'\(option.label)' needs an output that is a file")
  }
}

extension ValueSyntax<String> {
  /// A line for `/bin/sh -c`.
  static let shellCommand = ValueSyntax(name: "command", otherwise: "the command is empty") {
    text in
    text.contains { !$0.isWhitespace } ? text : nil
  }
}
