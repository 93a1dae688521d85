/// White noise, evenly distributed; each channel has its own.
struct WhiteNoiseSignal: GeneratedSignal {
  private var generator: SplitMix64
  private let amplitude: Double

  init(seed: UInt64, amplitude: Double) {
    generator = SplitMix64(seed: seed)
    self.amplitude = amplitude
  }

  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    let scale = amplitude * 0x1p-63
    for place in block.indices {
      block[place] = Double(Int64(bitPattern: generator.next())) * scale
    }
  }
}
