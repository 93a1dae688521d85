// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `tap=FILE`: a sound file of each stream.
struct TapKind: ObserverKind {
  static let form = ObserverForm(
    "tap", .required("FILE", "a file name"), mode: .readOnly,
    help: """
      Writes the audio to a sound file; {source}, or %s, in the name is the source's id (GROUP-ID with groups).
      """)
  static let syntax = ValueSyntax<String>.path(name: "file")
  static let keys: [ObserverKey<Self>] = [
    ObserverKey("encoding", .storedEncoding, \.encoding, help: "s16, f32, ..."),
    ObserverKey(
      "align", .choice(name: "align", TapAlignment.allCases), \.alignment,
      help: "session or source, where its file begins."),
    ObserverKey(
      "append", .choice(name: "append", Appending.allCases), \.appending,
      help: "yes: samples of a .raw file go behind those of an earlier run."),
  ]

  enum Appending: String, Sendable, CaseIterable {
    case yes
    case no
  }

  /// The pattern of a file name.
  let argument: String
  var encoding: EncodingName?
  /// The start of its track. Nil = the session's default.
  var alignment: TapAlignment?
  /// Nil = no.
  var appending: Appending?

  init(argument: String) { self.argument = argument }

  func check(_ observer: ObserverRequest) throws(InvalidValue) {
    guard encoding?.isPadded == true, Container(fileName: argument) != .raw else { return }
    throw InvalidValue("only files called .raw hold 24 bits in four bytes; use s24")
  }

  func outputs(
    of observer: ObserverRequest, in scene: ObservationScene
  ) throws(AudioError) -> [SinkEndpoint] {
    let files = try TapFiles(
      pattern: argument, encoding: encoding?.encoding, appends: appending == .yes, time: { 0 })
    if scene.isOpen, observer.position == .beforeMixing, observer.source == nil,
      files.path(forStreamNamed: "a") == files.path(forStreamNamed: "b", number: 1)
    {
      throw AudioError(
        .invalidParameter, cannot: "write to", argument,
        because: "every source that joins has a track of its own",
        advice: "put {source}, the source's id, into the name")
    }
    return scene.streamNames(of: observer).enumerated().map {
      .file(files.path(forStreamNamed: $0.element, number: $0.offset))
    }
  }

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    let (isOpen, isLive, clock) = (installation.isOpen, installation.isLive, installation.clock)
    let files = try TapFiles(
      pattern: argument, encoding: encoding?.encoding, byteOrder: encoding?.byteOrder,
      isPadded: encoding?.isPadded == true,
      overwrite: installation.list.overwrites, numbersRepeats: isOpen,
      appends: appending == .yes, in: installation.list.civilTime,
      time: {
        let stated = isLive ? nil : clock.time(of: 0, at: 1)
        return stated.map { Int($0 / 1_000_000_000) } ?? RecordingClock.Moment.now.seconds
      })
    let tap = TapObserver(
      installation.positions, parameters: installation.parameters,
      alignment: alignment ?? (isOpen ? .session : .source), to: files.sink,
      on: try installation.writer.started())
    var installed = try installation.register(tap)
    installed.losses = {
      let count = tap.droppedSamplesPerChannel
      if count == 0 { return [] }
      return ["\(count) samples per channel were dropped, for the file was not written in time"]
    }
    installed.clippedSamples = { files.clippedSamples }
    installed.notANumberSamples = { files.notANumberSamples }
    installed.finish = { () throws(AudioError) in try tap.finish() }
    return installed
  }
}
