// Plain loops; the vectorised kernels replace them one by one.

extension Float: AudioSample {
  public static var precision: SamplePrecision { .single }

  public static func decode(
    _ bytes: RawSpan, as layout: SampleLayout, into output: inout OutputSpan<Float>
  ) {
    plainDecode(bytes, as: layout, into: &output)
  }

  public static func encode(
    _ samples: Span<Float>, as layout: SampleLayout, into bytes: inout MutableRawSpan
  ) -> Int {
    plainEncode(samples, as: layout, into: &bytes)
  }

  public static func add(_ samples: Span<Float>, to total: inout MutableSpan<Float>) {
    for i in samples.indices { total[i] += samples[i] }
  }

  public static func scale(_ samples: inout MutableSpan<Float>, by factor: Float) {
    for i in samples.indices { samples[i] *= factor }
  }

  public static func dotProduct(
    _ coefficients: Span<Float>, _ samples: Span<Float>, from offset: Int
  ) -> Float {
    var sum: Float = 0
    for i in coefficients.indices { sum += coefficients[i] * samples[offset + i] }
    return sum
  }
}

extension Double: AudioSample {
  public static var precision: SamplePrecision { .double }

  public static func decode(
    _ bytes: RawSpan, as layout: SampleLayout, into output: inout OutputSpan<Double>
  ) {
    plainDecode(bytes, as: layout, into: &output)
  }

  public static func encode(
    _ samples: Span<Double>, as layout: SampleLayout, into bytes: inout MutableRawSpan
  ) -> Int {
    plainEncode(samples, as: layout, into: &bytes)
  }

  public static func add(_ samples: Span<Double>, to total: inout MutableSpan<Double>) {
    for i in samples.indices { total[i] += samples[i] }
  }

  public static func scale(_ samples: inout MutableSpan<Double>, by factor: Double) {
    for i in samples.indices { samples[i] *= factor }
  }

  public static func dotProduct(
    _ coefficients: Span<Double>, _ samples: Span<Double>, from offset: Int
  ) -> Double {
    var sum: Double = 0
    for i in coefficients.indices { sum += coefficients[i] * samples[offset + i] }
    return sum
  }
}

private func plainDecode<Sample: AudioSample>(
  _ bytes: RawSpan, as layout: SampleLayout, into output: inout OutputSpan<Sample>
) {
  let size = layout.bytesPerSample
  for index in 0..<bytes.byteCount / size {
    var word: UInt64 = 0
    for byte in 0..<size {
      let place = layout.byteOrder == .little ? byte : size - 1 - byte
      let value = unsafe bytes.unsafeLoad(fromByteOffset: index * size + place, as: UInt8.self)
      word |= UInt64(value) << (8 * byte)
    }
    let sample: Double =
      switch layout.storage {
      case .s8: Double(Int8(truncatingIfNeeded: word)) / 0x1p7
      case .u8: (Double(word) - 128) / 0x1p7
      case .s16: Double(Int16(truncatingIfNeeded: word)) / 0x1p15
      case .s24, .s24In32: Double(Int32(truncatingIfNeeded: word << 8) >> 8) / 0x1p23
      case .s32: Double(Int32(truncatingIfNeeded: word)) / 0x1p31
      case .f32: Double(Float(bitPattern: UInt32(word)))
      case .f64: Double(bitPattern: word)
      case .ulaw, .alaw: 0
      }
    output.append(Sample(sample))
  }
}

private func plainEncode<Sample: AudioSample>(
  _ samples: Span<Sample>, as layout: SampleLayout, into bytes: inout MutableRawSpan
) -> Int {
  let size = layout.bytesPerSample
  var clipped = 0
  func quantised(_ sample: Sample, bits: Int) -> UInt64 {
    let scale = Double(1 << (bits - 1))
    let value = (Double(sample) * scale).rounded(.toNearestOrEven)
    if value.isNaN {
      clipped += 1
      return 0
    }
    if value < -scale || value > scale - 1 { clipped += 1 }
    return UInt64(bitPattern: Int64(min(max(value, -scale), scale - 1)))
  }
  for index in samples.indices {
    let word: UInt64 =
      switch layout.storage {
      case .s8: quantised(samples[index], bits: 8)
      case .u8: quantised(samples[index], bits: 8) &+ 128
      case .s16: quantised(samples[index], bits: 16)
      case .s24, .s24In32: quantised(samples[index], bits: 24)
      case .s32: quantised(samples[index], bits: 32)
      case .f32: UInt64(Float(samples[index]).bitPattern)
      case .f64: Double(samples[index]).bitPattern
      case .ulaw, .alaw: 0
      }
    for byte in 0..<size {
      let place = layout.byteOrder == .little ? byte : size - 1 - byte
      let value = UInt8(truncatingIfNeeded: word >> (8 * byte))
      bytes.storeBytes(of: value, toByteOffset: index * size + place, as: UInt8.self)
    }
  }
  return clipped
}
