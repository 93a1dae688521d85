// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A running ffmpeg that decodes units of AAC. The thread of the network.
///
/// It is a process of its own, so that units of a stranger can break only that.
final class DecoderProgram {
  static let name = "ffmpeg"
  /// Bytes that wait for a program that does not read: a pipe holds as many again.
  private static let mostWaiting = 1 << 18

  private let process: ChildProcess
  private let input: PipeEnd
  private let output: PipeEnd
  private var waiting: [UInt8]
  private var reader: FrameReader
  private var room = [UInt8](repeating: 0, count: 1 << 16)
  /// Whether it has ended, or cannot be used any longer.
  private(set) var isOver = false

  /// - Throws: `notFound` if there is no such program.
  init(_ configuration: AACConfiguration, program: String = name) throws(AudioError) {
    let units = try PipeEnd.pipe()
    let frames = try PipeEnd.pipe()
    let null = try PipeEnd.null(O_WRONLY)
    let errors = try FileDescriptor(null.number, name: "/dev/null", closes: false)
    process = try ChildProcess.started(
      program, Self.arguments(configuration).map { Pathname($0) }, input: units.reading,
      output: frames.writing, errors: errors, advice: "apt install ffmpeg")
    input = units.writing
    output = frames.reading
    input.makeNonBlocking()
    output.makeNonBlocking()
    waiting = FlashTags.header(configuration)
    reader = FrameReader(sampleRate: configuration.sampleRate)
  }

  /// Without probing, and each frame written at once: the line of its time, then its samples. The rate and the channels
  /// are those of the stream, whatever a unit says.
  private static func arguments(_ configuration: AACConfiguration) -> [String] {
    let opening = [
      "-nostdin", "-loglevel", "quiet", "-threads", "1", "-probesize", "32", "-analyzeduration",
      "0",
      "-flags", "low_delay", "-copyts",
    ]
    // Nothing else is opened, whatever comes.
    let limits = [
      "-protocol_whitelist", "pipe", "-format_whitelist", "flv", "-codec_whitelist", "aac",
    ]
    let samples = [
      "-map", "0:a:0", "-c:a", "pcm_f32le", "-ar", "\(configuration.sampleRate)", "-ac",
      "\(configuration.channelCount)",
    ]
    let both = ["framecrc", "f32le"].map { "[f=\($0):flush_packets=1]pipe\\:1" }
    return opening + limits + ["-f", "flv", "-i", "pipe:0"] + samples
      + ["-f", "tee", both.joined(separator: "|")]
  }

  /// The descriptor that has frames.
  var descriptor: Int32 { output.number }
  /// Whether units wait for the program to read.
  var isBusy: Bool { !waiting.isEmpty }

  /// Puts a unit behind those that ``flush()`` writes: each write wakes the program.
  ///
  /// - Parameter number: from 0 on.
  func send(_ unit: [UInt8], number: Int32) {
    waiting += FlashTags.unit(unit, number: number)
  }

  /// Writes as much as the program takes.
  func flush() {
    while !waiting.isEmpty, !isOver {
      do throws(AudioError) {
        let moved = try unsafe waiting.withUnsafeBufferPointer { bytes throws(AudioError) in
          try unsafe input.write(UnsafeRawBufferPointer(bytes))
        }
        switch moved {
        case .moved(let count): waiting.removeFirst(count)
        case .wouldWait:
          isOver = waiting.count > Self.mostWaiting
          return
        case .ended: isOver = true
        }
      } catch {
        isOver = true
      }
    }
  }

  /// Tells it that no unit follows, and takes its last frames until it has ended.
  ///
  /// - Parameter limit: the longest wait for it; then it is killed.
  func finish(within limit: Duration, _ take: ([FrameReader.Frame]) -> Void) {
    let end = MonotonicTime.now
    while true {
      flush()
      if waiting.isEmpty { input.close() }
      take(receive())
      let left = limit - MonotonicTime.now.elapsed(since: end)
      if isOver || left <= .zero { break }
      var request = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
      // It may also wait for room in its own pipe.
      let longest = waiting.isEmpty ? left : min(left, .milliseconds(5))
      _ = unsafe poll(&request, 1, Int32(longest.inNanoseconds / 1_000_000 + 1))
    }
    kill()
  }

  /// Takes the frames that are decoded.
  func receive() -> [FrameReader.Frame] {
    var frames: [FrameReader.Frame] = []
    while !isOver {
      do throws(AudioError) {
        let moved = try unsafe room.withUnsafeMutableBufferPointer { bytes throws(AudioError) in
          try unsafe output.read(into: UnsafeMutableRawBufferPointer(bytes))
        }
        switch moved {
        case .moved(let count):
          unsafe reader.append(room.span.bytes.extracting(0..<count))
          while let frame = reader.nextFrame() { frames.append(frame) }
          isOver = reader.hasFailed
        case .wouldWait: return frames
        case .ended: isOver = true
        }
      } catch {
        isOver = true
      }
    }
    return frames
  }

  /// Ends it without waiting for its units.
  func kill() {
    isOver = true
    process.kill()
  }
}
