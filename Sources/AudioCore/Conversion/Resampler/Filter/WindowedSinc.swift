import Glibc

/// The impulse response of an ideal low-pass, cut to its length by a window.
struct WindowedSinc {
  private let taps: Int
  /// As a fraction of the input's Nyquist frequency.
  private let cutoff: Double
  private let window: KaiserWindow
  /// The sine and the cosine of π × cutoff × tap, for every tap.
  private var sines: [SIMD8<Double>] = []
  private var cosines: [SIMD8<Double>] = []

  /// - Parameter taps: a multiple of 8.
  init(taps: Int, cutoff: Double, window: KaiserWindow) {
    self.taps = taps
    self.cutoff = cutoff
    self.window = window
    for tap in stride(from: 0, to: taps, by: 8) {
      var (sine, cosine) = (SIMD8<Double>(), SIMD8<Double>())
      for lane in 0..<8 {
        let angle = Double.pi * cutoff * Double(tap + lane)
        sine[lane] = sin(angle)
        cosine[lane] = cos(angle)
      }
      sines.append(sine)
      cosines.append(cosine)
    }
  }

  /// Writes h(t) at t = `place` + taps/2 − 1 − j for every tap j, in units of input samples.
  func write<Sample: AudioSample>(
    at place: Double, to row: UnsafeMutableBufferPointer<Sample>
  ) {
    let first = place + Double(taps / 2 - 1)
    let (sine, cosine) = (sin(Double.pi * cutoff * first), cos(Double.pi * cutoff * first))
    for eight in sines.indices {
      let times = first - (SIMD8<Double>(0, 1, 2, 3, 4, 5, 6, 7) + Double(eight * 8))
      // sin(a − b) = sin a cos b − cos a sin b
      let waves = sine * cosines[eight] - cosine * sines[eight]
      let sinc = (waves / (Double.pi * times)).replacing(with: cutoff, where: times .== 0)
      let values = sinc * window.values(at: times / Double(taps / 2))
      for lane in 0..<8 {
        unsafe row.initializeElement(at: eight * 8 + lane, to: Sample(values[lane]))
      }
    }
  }
}
