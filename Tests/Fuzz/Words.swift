// SPDX-License-Identifier: Apache-2.0
@testable import AudioStreams
@testable import AudioCore
@testable import AudioFiles
@testable import AudioDevices
@testable import AudioPictures
@testable import AudioPrograms
@testable import rawaudio

// The words of a command line.

/// Whole command lines, a zero after each word: accepted, or refused in one sentence.
func parseCommandLine(_ input: [UInt8]) {
  let words = input.split(separator: 0, omittingEmptySubsequences: false).map(text)
  let context = InvocationContext(standardOutputIsTerminal: input.count % 2 == 0)
  do throws(RejectedInvocation) {
    if case .show(let page) = try RawAudio.program.parse(words, in: context, pageWidth: 80) {
      precondition(page.hasSuffix("\n"))
    }
  } catch {
    precondition(!error.error.message.isEmpty && !error.error.message.hasSuffix("."))
  }
}

func parseObserver(_ input: [UInt8]) {
  let written = text(input)
  let observer: ObserverRequest
  do throws(InvalidValue) {
    observer = try ObserverRequest(written)
  } catch {
    precondition(!error.reason.isEmpty)
    return
  }
  precondition(observer.text == written)
  if let rate = observer.parameters().sampleRate {
    precondition(StreamFormat.sampleRates.contains(rate))
  }
  if let count = observer.channelCount { precondition(StreamFormat.channelCounts.contains(count)) }
  if let exec = observer.kind as? ExecKind, let timeout = exec.timeout {
    precondition(timeout > .zero)
  }
  if let gain = observer.kind as? GainKind { precondition(abs(gain.argument) <= 300) }
}

/// A time's text is read back as an equal time.
func parseTimes(_ input: [UInt8]) {
  let written = text(input)
  _ = try? FileSize(written)
  _ = try? ValueSyntax<SplitPoint>.splitPoint.parse(written)
  _ = try? ValueSyntax<DeviceLength>.bufferLength.parse(written)
  guard let time = try? TimePosition(written) else { return }
  var before: Int64 = 0
  for rate in [1_000, 44_100, 768_000] {
    let samples = time.samples(at: rate)
    precondition(samples >= before)
    before = samples
  }
  if case .samples(let count) = time {
    precondition(time == (try? TimePosition("\(count)S")))
  } else if case .time(let duration) = time {
    let (seconds, attoseconds) = duration.components
    let digits = String(attoseconds)
    let fraction = String(repeating: "0", count: 18 - digits.count) + digits
    precondition(time == (try? TimePosition("\(seconds).\(fraction)")))
  }
}

func parseValues(_ input: [UInt8]) {
  let written = text(input)
  if let number = Double(decimal: written) { precondition(number.isFinite) }
  if let pan = try? ValueSyntax<Double>.pan.parse(written) { precondition(abs(pan) <= 1) }
  if let level = try? ValueSyntax<Double>.level.parse(written) { precondition(level <= 0) }
  _ = try? ValueSyntax<Double>.decibels.parse(written)
  _ = try? ValueSyntax<Set<FailureCondition>>.failureConditions.parse(written)
  if let name = EncodingName(written) {
    precondition(name.byteOrder == nil || name.layout() != nil)
  }
  if let container = Container(name: written) {
    precondition(Container(name: container.rawValue) == container)
  }
  _ = Container(fileName: written)
  _ = try? ValueSyntax<SinkEndpoint>.sink.parse(written)
  _ = try? ValueSyntax<NamedSource>.namedSource.parse(written)
  guard let source = try? ValueSyntax<SourceEndpoint>.source(name: "source").parse(written) else {
    return
  }
  switch source {
  case .end(let tone as ToneEnd): precondition(tone.frequency > 0 && tone.frequency.isFinite)
  case .end(let sweep as SweepEnd): precondition(sweep.start > 0 && sweep.end > 0)
  case .file(let path): precondition(path == written)
  case .end(let end): precondition(!end.name.isEmpty)
  default: break
  }
}

/// Names of parts and tracks: no part leaves the pattern's folder, and no two have one number.
func parseNames(_ input: [UInt8]) {
  var choices = Choices(input)
  let time = choices.number(below: 1 << 36)
  let pattern = text(choices.rest)
  let folders = pattern.utf8.filter { $0 == UInt8(ascii: "/") }.count
  if let names = try? NamePattern(pattern) {
    precondition((try? NamePattern(names.text)) == names)
  }
  _ = try? NamePattern(pattern, isProse: true)
  if let names = try? PartNames(pattern) {
    for number in [0, 1, 123_456] {
      let path = names.path(number: number, time: time)
      precondition(path.utf8.filter { $0 == UInt8(ascii: "/") }.count == folders)
      precondition(!path.isEmpty)
    }
  }
  if let files = try? TapFiles(pattern: pattern, container: .wav) {
    let path = files.path(forStreamNamed: "room-anna")
    precondition(path.utf8.filter { $0 == UInt8(ascii: "/") }.count == folders)
  }
}
