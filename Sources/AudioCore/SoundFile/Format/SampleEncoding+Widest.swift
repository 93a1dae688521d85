extension SampleEncoding {
  /// The encoding for the sum or the sequence of samples that were stored in `encodings`: the one among
  /// them that holds every value of the others, else the narrowest plain one that does.
  ///
  /// Several lossy encodings, or a lossy one among others, count as `s16`. Of none it is `s16`.
  public static func widest(_ encodings: [SampleEncoding]) -> SampleEncoding {
    guard let first = encodings.first else { return .s16 }
    if encodings.allSatisfy({ $0 == first }) { return first }
    let wanted = encodings.map { $0.isLossy ? .s16 : $0 }
    let plain: [SampleEncoding] = [.s16, .s24, .f32, .s32, .f64]
    return (wanted + plain).first { candidate in
      wanted.allSatisfy { candidate.holds($0) }
    } ?? .f64
  }
}
