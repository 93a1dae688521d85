// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles
@testable import AudioDevices
@testable import AudioPrograms

/// Every failure closes all descriptors opened before it.
@Suite struct DescriptorTests {
  @Test func everyFailureClosesWhatItOpened() async {
    let process = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      func complain(_ text: String) -> Never {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
        exit(0)
      }
      let failures = try Failures()
      for (name, fail) in try failures.all {
        func failOnce() {
          do {
            try fail()
            complain("\(name) does not fail")
          } catch {
            // The intended failure.
          }
        }
        // The first failure may load a library or a configuration for good.
        failOnce()
        let before = OpenDescriptors()
        for _ in 0..<20 { failOnce() }
        let left = before.left()
        if !left.isEmpty { complain("\(name) leaves \(left) beside \(before)") }
      }
      complain("each closes its descriptors")
    }
    let said = String(decoding: process?.standardOutputContent ?? [], as: UTF8.self)
    #expect(said.hasSuffix("each closes its descriptors\n"))
  }
}

/// Some containers accept even a few bytes.
private struct Understood: Error {}

/// A failure for each type that opens something.
private struct Failures {
  let scratch = ScratchDirectory()
  let good: String

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    good = try scratch.write(
      WaveBytes.file(40_000, data: [UInt8](repeating: 1, count: 40_000)), "good.wav")
  }

  var all: [(String, () throws -> Void)] { get throws { try inputs() + outputs() + sessions() } }

  private func inputs() throws -> [(String, () throws -> Void)] {
    var inputs = [scratch.file("none.wav"), scratch.path]
    inputs.append(try scratch.write([], "empty.wav"))
    inputs.append(try scratch.write(Array("Hello, world.\n".utf8), "text.wav"))
    inputs.append(try scratch.write(Array(try contents(good).prefix(30)), "short.wav"))
    for container in [Container.flac, .ogg, .opus, .mp3, .aiff, .caf, .w64] {
      let path = scratch.file("whole.\(container.rawValue)")
      let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
      let sink = SoundFileSink(
        path: path, format: try FileFormat(container, for: .s16), overwrite: true)
      try store([Double](repeating: 0.25, count: 4_000), sink, format)
      inputs.append(
        try scratch.write(Array(try contents(path).prefix(36)), "cut.\(container.rawValue)"))
    }
    let piped = try contents(scratch.file("cut.flac"))
    return inputs.flatMap { path -> [(String, () throws -> Void)] in
      [
        (
          "looking at \(path)",
          {
            _ = try SoundFileInformation(path: path)
            throw Understood()
          }
        ),
        (
          "reading \(path)",
          {
            _ = try record(SoundFileSource(path: path))
            throw Understood()
          }
        ),
      ]
    } + [
      (
        "reading good.wav as flac",
        { _ = try record(SoundFileSource(path: good, container: .flac)) }
      ),
      (
        "reading a pipe",
        {
          var ends: [Int32] = [-1, -1]
          unsafe pipe(&ends)
          _ = unsafe piped.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count) }
          close(ends[1])
          defer { close(ends[0]) }
          _ = try record(SoundFileSource(descriptor: ends[0], name: "pipe"))
        }
      ),
    ]
  }

  private func outputs() throws -> [(String, () throws -> Void)] {
    func write(_ path: String, _ container: Container, rate: Int = 48_000) throws {
      let sink = SoundFileSink(path: path, format: try FileFormat(container, for: .s16))
      try store(
        [Double](repeating: 0.25, count: 100_000), sink,
        StreamFormat(sampleRate: rate, channelCount: 1))
    }
    return [
      ("writing to a file that exists", { try write(good, .wav) }),
      ("writing to no folder", { try write(scratch.file("none/x.wav"), .wav) }),
      ("writing to a folder", { try write(scratch.path, .wav) }),
      ("writing opus of 44100 Hz", { try write(scratch.file("new.opus"), .opus, rate: 44_100) }),
      ("writing to a full device", { try write("/dev/full", .wav) }),
      ("writing flac to a full device", { try write("/dev/full", .flac) }),
      ("writing caf to a device", { try write("/dev/full", .caf) }),
    ]
  }

  private func sessions() throws -> [(String, () throws -> Void)] {
    func run(_ prepare: (Session) throws -> Void) throws {
      let session = try Session(local: SoundFileSource(path: good))
      try session.setSink(
        SoundFileSink(path: scratch.file("out.wav"), format: try FileFormat(.wav, .s16)),
        at: .publish)
      try prepare(session)
      _ = try session.run()
    }
    func program(_ command: String) throws {
      try run { session in
        try session.register(
          ExternalProgram(.record, command, timeout: .milliseconds(200)))
      }
    }
    return [
      ("a source that is missing", { try run { try $0.addRemote(SoundFileSource(path: "none")) } }),
      (
        "a sink without a source",
        {
          try run {
            try $0.setSink(
              SoundFileSink(
                path: scratch.file("sum.wav"), format: try FileFormat(.wav, .s16)), at: .playback)
          }
        }
      ),
      ("a device that is missing", { try run { try $0.setLocal(AlsaSource(device: "none")) } }),
      (
        "a player that is missing",
        { try run { try $0.setSink(AlsaSink(device: "none"), at: .publish) } }
      ),
      ("a program that is missing", { try program("/none/program") }),
      ("a program that dies", { try program("head -c 100; exit 3") }),
      ("a program that does nothing", { try program("sleep 10") }),
      ("a program that says too much", { try program("cat; echo and more") }),
      (
        "a tap without a folder",
        {
          try run { session in
            let files = try TapFiles(pattern: scratch.file("none/%s.wav"))
            try session.register(
              TapObserver(.record, to: files.sink, on: try BackgroundWriter()))
          }
        }
      ),
      (
        "events to a full device",
        {
          try run { session in
            try session.register(
              EventObserver(
                .record,
                to: try BackgroundLines(
                  path: "/dev/full", on: try BackgroundWriter(), overflow: .wait)))
          }
        }
      ),
      (
        "frames of 47 samples",
        {
          try run { session in
            try session.register(
              GainObserver(
                .record, factor: 0.5,
                parameters: FrameParameters(mode: .readWrite, samplesPerCall: 47)))
          }
        }
      ),
      ("listening in no folder", { _ = try SessionListener(path: scratch.file("none/socket")) }),
      ("listening at a file", { _ = try SessionListener(path: good) }),
      (
        "listening twice",
        {
          let first = try SessionListener(path: scratch.file("socket"))
          defer { withExtendedLifetime(first) {} }
          _ = try SessionListener(path: scratch.file("socket"))
        }
      ),
    ]
  }
}
