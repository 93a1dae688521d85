// SPDX-License-Identifier: Apache-2.0
/// Sixteen stretches of sound whose spectra are computed at once. Each lane holds two: one as the real and one as the
/// imaginary part. The symmetry of real signals' spectra separates them.
struct SpectrumBatch {
  private typealias Lanes = ComplexLanes.Lanes

  static let capacity = 2 * ComplexLanes.count
  static let sizes = 16...(1 << 16)

  let size: Int
  private let transform: FourierTransform<ComplexLanes>
  private let window: [Float]
  /// The stretches, `distance` samples from one to the next.
  private var samples: [Float]
  /// More than a stretch: at distances of a power of two all stretches would share a few places of the processor's cache.
  private let distance: Int
  private var values: [ComplexLanes]
  private(set) var count = 0

  /// - Parameter size: a power of two in ``sizes``.
  init(size: Int, _ window: SpectrumWindow) {
    precondition(Self.sizes.contains(size))
    self.size = size
    transform = FourierTransform(size: size)
    self.window = window.values(size).map { Float($0) }
    distance = size + 16
    samples = Array(repeating: 0, count: Self.capacity * distance)
    values = Array(repeating: ComplexLanes(), count: size)
  }

  /// Adds `size` samples of `history` from `start` on. The batch must not be full.
  mutating func add(_ history: [Float], from start: Int) {
    precondition(start >= 0 && start <= history.count - size && count < Self.capacity)
    unsafe history.withUnsafeBufferPointer { history in
      unsafe samples.withUnsafeMutableBufferPointer { samples in
        guard let from = history.baseAddress, let to = samples.baseAddress else { return }
        unsafe (to + count * distance).update(from: from + start, count: size)
      }
    }
    count += 1
  }

  /// Computes the spectra of the added stretches.
  ///
  /// - Parameters:
  ///   - rows: the bins of each row; the strongest bin counts.
  ///   - powers: stretch by stretch, row by row; the power of a sine is the square of its amplitude.
  mutating func finish(_ rows: SpectrumRows, into powers: inout [Float]) {
    load()
    transform.apply(to: &values)
    let height = rows.bins.count
    powers.removeAll(keepingCapacity: true)
    powers.append(contentsOf: repeatElement(0, count: count * height))
    for (row, bins) in rows.bins.enumerated() {
      var (first, second) = (Lanes(), Lanes())
      for bin in bins {
        let found = self.powers(bin)
        first.replace(with: found.real, where: found.real .> first)
        second.replace(with: found.imaginary, where: found.imaginary .> second)
      }
      for stretch in 0..<count {
        let lane = stretch % ComplexLanes.count
        let isFirst = stretch < ComplexLanes.count
        powers[stretch * height + row] = isFirst ? first[lane] : second[lane]
      }
    }
    count = 0
  }

  /// Loads the stretches into the lanes. Stretches beyond `count` hold old samples; their spectra are ignored.
  private mutating func load() {
    let places = transform.places
    let window = window
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let first = samples.baseAddress else { return }
      let second = unsafe first + ComplexLanes.count * distance
      for index in 0..<size {
        values[places[index]] = unsafe ComplexLanes(
          real: lanes(first + index) * window[index],
          imaginary: lanes(second + index) * window[index])
      }
    }
  }

  /// One sample of each of eight stretches.
  @inline(__always)
  private func lanes(_ samples: UnsafePointer<Float>) -> Lanes {
    let (low, high) = unsafe (samples, samples + 4 * distance)
    return unsafe Lanes(
      low[0], low[distance], low[2 * distance], low[3 * distance],
      high[0], high[distance], high[2 * distance], high[3 * distance])
  }

  /// The powers of the stretches in the real and in the imaginary parts.
  @inline(__always)
  private func powers(_ bin: Int) -> (real: Lanes, imaginary: Lanes) {
    let mirror = (size - bin) & (size - 1)
    let (a, b) = (values[bin].real, values[bin].imaginary)
    let (c, d) = (values[mirror].real, values[mirror].imaginary)
    // The window's scale counts each frequency with its negative; these two bins have none.
    let scale: Float = bin == 0 || bin == size / 2 ? 1.0 / 16 : 1.0 / 4
    let evenRe = a + c
    let oddIm = b - d
    let evenIm = b + d
    let oddRe = a - c
    return ((evenRe * evenRe + oddIm * oddIm) * scale, (evenIm * evenIm + oddRe * oddRe) * scale)
  }
}
