extension SessionRun {
  /// Double where a source, a sink, a gain, a sum or the resampler's quality needs it.
  var precision: SamplePrecision {
    if session.resamplerQuality == .best { return .double }
    let ends = sources.map { $0.description.encoding.precision } + sinks.map { $0.sink.precision }
    let edits = session.observers.filter { $0.registration.isActive }.map { $0.neededPrecision }
    return (ends + edits + [sumPrecision]).max() ?? .single
  }

  /// `Float` holds every sum of as many 16-bit samples as there may be, and no other sum: rounded to
  /// `Float` and then to an output it would be rounded twice.
  private var sumPrecision: SamplePrecision {
    if sources.contains(where: { !$0.entry.mixing.leavesSamples }) { return .double }
    guard sources.count > 1 else { return .single }
    let isExact =
      sources.count <= Self.mostExactTerms
      && sources.allSatisfy { $0.description.encoding.isAtMost16Bits }
    return isExact ? .single : .double
  }

  /// 2^8 samples of 16 bits add up to no more than the 24 bits of a `Float`.
  private static let mostExactTerms = 256
}

extension SampleEncoding {
  /// Whether every sample is a multiple of 2^−15 within ±1.
  fileprivate var isAtMost16Bits: Bool {
    switch self {
    case .f32, .vorbis, .opus, .mpegLayer1, .mpegLayer2, .mpegLayer3: false
    default: precision == .single
    }
  }
}
