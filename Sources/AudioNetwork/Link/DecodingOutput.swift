// SPDX-License-Identifier: Apache-2.0
/// Decodes the units of a stream between its account and its ring, in order: a unit that cannot be decoded is a gap of
/// its length. Sample frames go through. The thread of the network.
struct DecodingOutput: ReceptionOutput {
  /// A part of the stream that waits for the units before it.
  private enum Part {
    /// - Parameters:
    ///   - length: samples per channel.
    ///   - known: how many of the first of them stand in the stream already.
    case unit(Int64, length: Int, known: Int)
    case silence(Int64)
    case gap(ReceptionGap)
    /// A unit that came and cannot be decoded, in samples per channel.
    case lost(Int)
  }

  /// How long an end or an absence waits for units that are being decoded.
  private static let longestWait = Duration.seconds(4)

  private var ring: RingOutput
  private let payload: PayloadFormat
  private let decoder: UnitDecoder?
  private var assembly: UnitAssembly?
  private var waiting: [Part] = []
  /// Samples per channel of the units among ``waiting``.
  private var waitingSamples: Int64 = 0
  /// Whether the last part that went on was a gap: units that are lost behind it belong to it.
  private var isInGap = false
  /// Whether the decoder of Opus still knows samples from before a gap.
  private var isStale = false

  init(_ link: NetworkLink, _ decoder: UnitDecoder?) {
    ring = RingOutput(link)
    payload = link.payload
    self.decoder = decoder
    assembly = payload.units.map { UnitAssembly($0, for: link.payload.format) }
  }

  /// Whether the next gap is the absence of a lost sender, which the session counts.
  var isAway: Bool {
    get { ring.isAway }
    set {
      settle()
      ring.isAway = newValue
    }
  }

  /// Samples per channel that the ring got, and those that are being decoded.
  var delivered: Int64 { ring.delivered + waitingSamples }

  /// The descriptor that has decoded samples. Nil if there is none.
  var descriptor: Int32? { program?.descriptor }
  /// When ``advance(to:)`` has something to do without ``descriptor``.
  var deadline: MonotonicTime? { program?.deadline }

  private var program: AACDecoder? {
    if case .aac(let program)? = decoder { return program }
    return nil
  }

  mutating func append(_ bytes: RawSpan, _ part: PayloadPart) {
    switch decoder {
    case .opus(let opus) where part.format == payload: append(bytes, part, opus)
    case .aac(let program) where part.format == payload: append(bytes, part, program)
    default:
      settle()
      isInGap = false
      ring.append(
        bytes.extracting(droppingFirst: part.known * part.format.sampleFrameSize),
        in: part.format.layout)
    }
  }

  mutating func appendSilence(_ count: Int64) {
    assembly?.drop()
    pass(.silence(count))
  }

  mutating func appendGap(_ gap: ReceptionGap) {
    assembly?.drop()
    pass(.gap(gap))
  }

  /// Takes the samples that are decoded.
  mutating func advance(to now: MonotonicTime) {
    guard let program else { return }
    for event in program.receive(at: now) { take(event) }
  }

  /// Waits for the units that are being decoded, and reports a gap that no sample follows.
  mutating func finish() {
    settle()
    ring.finish()
  }

  private mutating func settle() {
    guard let program, !waiting.isEmpty else { return }
    program.finish(within: Self.longestWait)
    for event in program.receive(at: .now) { take(event) }
  }
}

extension DecodingOutput {
  private mutating func append(_ bytes: RawSpan, _ part: PayloadPart, _ opus: OpusDecoder) {
    let count = part.count - part.known
    if bytes.byteCount <= OpusPacket.mostBytesOfSilence { return pass(.silence(Int64(count))) }
    if isStale { opus.reset() }
    isStale = false
    var output = ring
    let isDecoded = opus.decode(bytes, count: part.count, known: part.known) {
      output.append($0, in: payload.layout)
    }
    ring = output
    if isDecoded { isInGap = false } else { put(.lost(count)) }
  }

  private mutating func append(_ bytes: RawSpan, _ part: PayloadPart, _ program: AACDecoder) {
    guard var assembly else { return }
    let units = assembly.take(bytes, part)
    self.assembly = assembly
    let now = MonotonicTime.now
    var known = part.known
    for unit in units {
      let length = unit.configuration.unitLength
      let given = min(known, length)
      known -= given
      if let bytes = unit.bytes, let number = program.send(bytes, unit.configuration, at: now) {
        waiting.append(.unit(number, length: length, known: given))
        waitingSamples += Int64(length - given)
      } else if given < length {
        pass(.lost(length - given))
      }
    }
    advance(to: now)
  }

  /// Appends a part behind those that wait.
  private mutating func pass(_ part: Part) {
    if waiting.isEmpty { put(part) } else { waiting.append(part) }
  }

  private mutating func take(_ event: AACDecoder.Event) {
    let (number, samples): (Int64, [UInt8]?) =
      switch event {
      case .frame(let number, let samples): (number, samples)
      case .lost(let end): (end - 1, nil)
      }
    while case .unit(let first, let length, let known)? = waiting.first, first <= number {
      waiting.removeFirst()
      waitingSamples -= Int64(length - known)
      if first == number, let samples {
        isInGap = false
        unsafe ring.append(
          samples.span.bytes.extracting(droppingFirst: known * payload.sampleFrameSize),
          in: payload.layout)
      } else if known < length {
        put(.lost(length - known))
      }
      putSettled()
    }
  }

  /// Puts the silence and the gaps that wait for no unit.
  private mutating func putSettled() {
    while let part = waiting.first {
      if case .unit = part { return }
      waiting.removeFirst()
      put(part)
    }
  }

  private mutating func put(_ part: Part) {
    switch part {
    case .unit: return
    case .silence(let count):
      isInGap = false
      ring.appendSilence(count)
    case .gap(let gap):
      ring.appendGap(gap, continues: false)
      isInGap = true
      isStale = true
    case .lost(let count):
      ring.appendGap(ReceptionGap(count: Int64(count)), continues: isInGap)
      isInGap = true
      isStale = true
    }
  }
}
