// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore

/// `exec=COMMAND`: raw samples through any program.
struct ExecKind: ObserverKind {
  static let form = ObserverForm(
    "exec", .required("COMMAND", "a command"), tells: true,
    help: """
      Raw samples through any program, by /bin/sh. RAWAUDIO_RATE, RAWAUDIO_CHANNELS, RAWAUDIO_ENCODING, \
      RAWAUDIO_SAMPLES_PER_CALL, RAWAUDIO_POSITION, RAWAUDIO_SOURCE and RAWAUDIO_GROUP describe them.
      """)
  /// Accepts any text: the shell judges it.
  static let syntax = ValueSyntax<String>(name: "command") { text in text }
  static let keys: [ObserverKey<Self>] = [
    ObserverKey("encoding", .storedEncoding, \.encoding, help: "s16, f32, ..."),
    ObserverKey(
      "latency", .latency, \.latency,
      help: "in a live session how far it may be behind, in samples per channel."),
    ObserverKey(
      "length", .choice(name: "length", ProgramLength.allCases), \.length,
      help: "equal (as many samples back as it gets), or free, which is not for live sessions."),
    ObserverKey("timeout", .duration, \.timeout, help: "how long it may do nothing (10s)."),
  ]

  /// A command line for the shell.
  let argument: String
  var encoding: EncodingName?
  /// The largest delay of the program in a live session, in samples per channel.
  var latency: Int?
  var length: ProgramLength?
  /// The longest time without progress of the program.
  var timeout: Duration?

  init(argument: String) { self.argument = argument }

  func check(_ observer: ObserverRequest) throws(InvalidValue) {
    if length == .free, observer.effectiveMode != .readWrite {
      throw InvalidValue("length=free is for a program that reads and writes")
    }
    guard let encoding, encoding.layout() == nil else { return }
    throw InvalidValue("a program is given plain samples, not \(encoding.encoding.rawValue)")
  }

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    let position = installation.observer.position
    let program = try ExternalProgram(
      installation.positions, argument, layout: encoding?.layout() ?? SampleLayout(.f32),
      latency: latency, timeout: timeout ?? .seconds(10), changesLength: length == .free,
      parameters: installation.parameters)
    var installed = try installation.register(program)
    func statistics() -> ExternalProgramStatistics? { program.statistics[position] }
    installed.losses = {
      statistics().map { lossesOfDelay(late: $0.late, skipped: $0.skipped) } ?? []
    }
    installed.clippedSamples = { statistics()?.clippedSamples ?? 0 }
    installed.notANumberSamples = { statistics()?.notANumberSamples ?? 0 }
    installed.details = { statistics().map { [$0.accounting] } ?? [] }
    return installed
  }
}

/// The number of samples that a program returns.
enum ProgramLength: String, CaseIterable, Sendable {
  case equal
  case free
}

/// The losses of a process that was too slow, in samples per channel.
func lossesOfDelay(late: Int64, skipped: Int64) -> [String] {
  var losses: [String] = []
  if late > 0 { losses.append("\(late) samples per channel came too late; the original went on") }
  if skipped > 0 {
    losses.append("\(skipped) samples per channel were left out, for it did not take them in time")
  }
  return losses
}

extension ExternalProgramStatistics {
  fileprivate var accounting: String {
    let unused = discarded > 0 ? ", \(discarded) of them not used" : ""
    return "\(samplesIn) samples per channel in, \(samplesOut) out\(unused)"
  }
}

extension ValueSyntax<Int> {
  static let latency = ValueSyntax(name: "samples") {
    (text: String) throws(InvalidValue) in
    let hasUnit = text.last?.isLetter == true
    guard case .samples(let samples)? = try? TimePosition(hasUnit ? text : text + "S") else {
      throw InvalidValue("a latency is a count of samples per channel")
    }
    return Int(samples)
  }
}
