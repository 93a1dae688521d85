// SPDX-License-Identifier: Apache-2.0
/// Decodes the units of AAC one after another, in a program that is replaced if it ends or sticks. The thread of the
/// network.
final class AACDecoder {
  /// The fate of units, in their order.
  enum Event: Equatable {
    /// The samples of a unit, in 32-bit floating point. Earlier units without this were refused.
    case frame(Int64, [UInt8])
    /// All units before this number that gave no frame are lost.
    case lost(before: Int64)
  }

  /// How long a unit may stay away before the program counts as stuck. A refused unit gives nothing, so it may be that all
  /// units since then were refused.
  private static let patience = Duration.seconds(4)
  /// Before the first frame: a busy machine takes its time to load ffmpeg's libraries.
  private static let firstPatience = Duration.seconds(10)
  /// How long frames gather before they are read: the program writes each one twice, and each time would wake the thread.
  private static let gathering = Duration.milliseconds(2)
  /// Between the starts of two programs: units that break one may come at any rate.
  private static let pause = Duration.seconds(1)

  private let program: String
  private let frameSize: Int
  private var running: DecoderProgram?
  private var configuration: AACConfiguration
  /// The number of the unit that comes next, and that of the first one of the running program.
  private var next: Int64 = 0
  private var first: Int64 = 0
  /// All units before this one have their fates.
  private var settled: Int64 = 0
  /// When the oldest unit without a fate was sent, or the last frame came.
  private var waitingSince = MonotonicTime.now
  private var started = MonotonicTime.now
  /// Until when frames gather.
  private var gathersUntil = MonotonicTime.now
  /// Whether the running program has given a frame.
  private var hasBegun = false
  private var events: [Event] = []
  /// How often a program was replaced because it ended or stuck.
  private(set) var failures = 0

  /// - Parameter stream: in errors.
  /// - Throws: `unsupported` without ffmpeg.
  init(
    _ configuration: AACConfiguration, _ stream: String, program: String = DecoderProgram.name
  ) throws(AudioError) {
    self.program = program
    self.configuration = configuration
    frameSize = configuration.unitLength * configuration.channelCount * MemoryLayout<Float>.size
    do throws(AudioError) {
      running = try DecoderProgram(configuration, program: program)
    } catch {
      guard error.kind == .notFound else { throw error }
      throw AudioError(
        .unsupported, cannot: "receive AAC from", stream,
        because: "\(program) decodes it, which is not on the PATH", advice: "apt install ffmpeg")
    }
  }

  /// The descriptor that has frames. Nil if no program runs, and while frames gather.
  var descriptor: Int32? { MonotonicTime.now < gathersUntil ? nil : running?.descriptor }

  /// When ``receive(at:)`` has something to do without frames.
  var deadline: MonotonicTime? {
    guard let running, settled < next else { return nil }
    if running.isBusy { return later(than: .now, by: .milliseconds(5)) }
    return MonotonicTime.now < gathersUntil ? gathersUntil : later(than: waitingSince, by: patience)
  }

  private var patience: Duration { hasBegun ? Self.patience : Self.firstPatience }

  /// Decodes a unit with the next ``receive(at:)``.
  ///
  /// - Returns: its number. Nil if no program can be started now: the unit is lost.
  func send(_ unit: [UInt8], _ configuration: AACConfiguration, at now: MonotonicTime) -> Int64? {
    if configuration != self.configuration || next - first == Int64(FlashTags.mostUnits) {
      finish(within: .seconds(1))
      self.configuration = configuration
    }
    if running == nil {
      // The first unit may bring another configuration than that which the program began with.
      guard next == 0 || now.elapsed(since: started) >= Self.pause else { return nil }
      started = now
      first = next
      hasBegun = false
      running = try? DecoderProgram(configuration, program: program)
    }
    guard let running else { return nil }
    if settled == next {
      waitingSince = now
      gathersUntil = later(than: now, by: Self.gathering)
    }
    running.send(unit, number: Int32(truncatingIfNeeded: next - first))
    next += 1
    return next - 1
  }

  /// The fates since the last call.
  func receive(at now: MonotonicTime) -> [Event] {
    if let running {
      running.flush()
      take(running.receive(), at: now)
      let isStuck = settled < next && now.elapsed(since: waitingSince) >= patience
      if running.isOver || isStuck { replace() }
    }
    defer { events = [] }
    return events
  }

  /// Waits for the fates of all units.
  func finish(within limit: Duration) {
    guard let running else { return }
    running.finish(within: limit) { take($0, at: .now) }
    settle()
    self.running = nil
  }

  private func take(_ frames: [FrameReader.Frame], at now: MonotonicTime) {
    for frame in frames {
      let number = first + frame.number
      guard (settled..<next).contains(number), frame.samples.count == frameSize else {
        running?.kill()
        return
      }
      settled = number + 1
      waitingSince = now
      hasBegun = true
      events.append(.frame(number, frame.samples))
    }
  }

  private func replace() {
    failures += 1
    running?.kill()
    running = nil
    settle()
  }

  private func settle() {
    if settled < next { events.append(.lost(before: next)) }
    settled = next
  }

  private func later(than time: MonotonicTime, by duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds + duration.inNanoseconds)
  }
}
