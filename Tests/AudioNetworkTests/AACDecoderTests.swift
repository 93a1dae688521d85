// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AudioNetwork

/// A decoder whose program breaks: the units on their way are lost, and another program goes on.
@Suite struct AACDecoderTests {
  private let folder = ScratchDirectory()

  init() { ProgramSignals.ignorePipe() }

  /// A script in place of ffmpeg, which notes its process.
  private func program(_ line: String) throws -> String {
    let path = folder.file("decoder")
    let text = "#!/bin/sh\necho $$ >> '\(folder.file("processes"))'\n\(line)\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private var processes: [pid_t] {
    let text = try? String(contentsOfFile: folder.file("processes"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").compactMap { pid_t($0) }
  }

  private func configuration() throws -> AACConfiguration {
    var read = try AACConfiguration(hexadecimal: "1190")
    try read.decide(isReplicated: false)
    return read
  }

  /// Takes events until `count` units have their fates.
  private func settle(_ decoder: AACDecoder, _ count: Int64) -> [AACDecoder.Event] {
    var events: [AACDecoder.Event] = []
    let begin = MonotonicTime.now
    while MonotonicTime.now.elapsed(since: begin) < .seconds(60) {
      events += decoder.receive(at: .now)
      switch events.last {
      case .frame(let number, _)? where number + 1 >= count: return events
      case .lost(let end)? where end >= count: return events
      default: break
      }
      var request = pollfd(fd: decoder.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
      unsafe poll(&request, 1, 100)
    }
    return events
  }

  private func numbers(_ events: [AACDecoder.Event]) -> [Int64] {
    events.map {
      switch $0 {
      case .frame(let number, _): number
      case .lost(let end): -end
      }
    }
  }

  @Test(arguments: [SIGKILL, SIGSTOP])
  func aProgramIsReplaced(signal: Int32) throws {
    let sound = try RecordedUnits(sampleRate: 48_000, channelCount: 2, seconds: 1)
    let configuration = try configuration()
    let decoder = try AACDecoder(configuration, "test", program: program("exec ffmpeg \"$@\""))
    func send(_ index: Int, _ time: MonotonicTime = .now) -> Int64? {
      decoder.send(sound.units[index], configuration, at: time)
    }
    #expect((0..<5).map { send($0) } == [0, 1, 2, 3, 4])
    #expect(numbers(settle(decoder, 5)) == [0, 1, 2, 3, 4])
    let first = try #require(processes.first)
    // It reads nothing more in either case.
    kill(first, SIGSTOP)
    #expect(send(5) == 5 && send(6) == 6)
    if signal == SIGKILL {
      kill(first, signal)
      #expect(settle(decoder, 7) == [.lost(before: 7)])
    } else {
      let now = MonotonicTime.now
      #expect(decoder.receive(at: now) == [] && decoder.deadline != nil)
      let limit = MonotonicTime(nanoseconds: now.nanoseconds + 4_000_000_000)
      #expect(decoder.receive(at: limit) == [.lost(before: 7)])
    }
    #expect(decoder.failures == 1 && decoder.descriptor == nil && decoder.deadline == nil)
    #expect(kill(first, 0) != 0)
    // A second later there is another one.
    let later = MonotonicTime(nanoseconds: MonotonicTime.now.nanoseconds + 1_000_000_000)
    #expect(send(7, later) == 7 && send(8, later) == 8)
    #expect(numbers(settle(decoder, 9)) == [7, 8])
    #expect(processes.count == 2)
    let last = try #require(send(9))
    decoder.finish(within: .seconds(60))
    #expect(numbers(decoder.receive(at: .now)) == [last] && decoder.failures == 1)
  }

  /// Programs that end at once, say nothing, or write no frames.
  @Test(arguments: [
    "exit 0", "exec cat >/dev/null", "exec yes", "printf '0, 0, 0, 1024, 4, 0x0\\nabcd'; exec cat",
    "printf '0, 0, 960000, 1024, 8192, 0x0\\n'; exec cat /dev/zero",
  ])
  func aProgramThatIsNoDecoder(line: String) throws {
    let configuration = try configuration()
    let decoder = try AACDecoder(configuration, "test", program: program(line))
    var time = MonotonicTime.now
    var sent: Int64 = 0
    for _ in 0..<3 {
      if let number = decoder.send([1, 2, 3], configuration, at: time) {
        #expect(number == sent)
        sent += 1
      }
      time.nanoseconds += 4_000_000_000
    }
    #expect(sent > 0)
    // Nothing comes that must not, whatever came.
    var events: [AACDecoder.Event] = []
    while events.last != .lost(before: sent) {
      events += decoder.receive(at: time)
      time.nanoseconds += 1_000_000_000
    }
    #expect(events.allSatisfy { if case .lost = $0 { true } else { false } })
  }

  @Test func aMachineWithoutTheProgram() throws {
    let configuration = try configuration()
    let error = try #require(throws: AudioError.self) {
      try AACDecoder(configuration, "rtp:x", program: "no-such-program")
    }
    #expect(error.kind == .unsupported)
    #expect(
      error.description
        == "cannot receive AAC from 'rtp:x': no-such-program decodes it, which is not on the PATH; apt install ffmpeg"
    )
  }

  /// Every cut of the bytes gives equal frames.
  @Test func readsFrames() {
    let text = "#tb 0: 1/44100\n0,     44,     44,     1024,     3, 0xab\n\u{1}\u{2}\n"
    let bytes = Array((text + "0, 265, 265, 1024, 1, 0x1\n9junk, x\n").utf8)
    for size in 1...bytes.count {
      var reader = FrameReader(sampleRate: 44_100)
      var frames: [FrameReader.Frame] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        let piece = Array(bytes[start..<min(start + size, bytes.count)])
        unsafe reader.append(piece.span.bytes)
        while let frame = reader.nextFrame() { frames.append(frame) }
      }
      #expect(
        frames == [
          FrameReader.Frame(number: 1, samples: [1, 2, 10]),
          FrameReader.Frame(number: 6, samples: [57]),
        ])
      #expect(reader.hasFailed)
    }
  }
}
