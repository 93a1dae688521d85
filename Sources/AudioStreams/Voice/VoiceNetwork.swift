// SPDX-License-Identifier: Apache-2.0
internal import AudioKernels
internal import Glibc

/// The network of Silero VAD 6.2: gives the probability of speech in each 512 samples at 16 kHz, and remembers.
///
/// A step sees 64 samples before its own. Four Fourier transforms of 256 values under a Hann window, 128 apart, give
/// magnitudes; the last one reaches 64 samples beyond the end, which are mirrored there. Four convolutions over time, each
/// cut off below zero, make 128 numbers of them, an LSTM cell (Hochreiter and Schmidhuber 1997) keeps a state of 128, and one
/// row sums it up. One thread at a time; a step allocates nothing.
final class VoiceNetwork {
  static let sampleRate = 16_000
  /// The samples of a step.
  static let step = 512
  /// The samples of a step's past that it sees.
  static let context = 64
  static let width = 128

  private static let window = 256
  private static let hop = 128
  private static let columns = 4
  private static let bins = window / 2 + 1
  private static let transform = FourierTransform<ComplexLanes>(size: window)
  private static let hann = (0..<window).map {
    Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(window)))
  }

  /// A convolution over time of three columns, with a column of zeros at both ends.
  struct Shape {
    let inputs: Int
    let rows: Int
    let stride: Int
    let inputColumns: Int
    var columns: Int { (inputColumns - 1) / stride + 1 }
    /// The numbers of its input, with the zeros.
    var size: Int { (inputColumns + 2) * inputs }
  }

  static let encoderShapes = [
    Shape(inputs: bins, rows: 128, stride: 1, inputColumns: columns),
    Shape(inputs: 128, rows: 64, stride: 2, inputColumns: 4),
    Shape(inputs: 64, rows: 64, stride: 2, inputColumns: 2),
    Shape(inputs: 64, rows: width, stride: 1, inputColumns: 1),
  ]

  private let model: VoiceModel
  /// The context, the samples of a step and their mirrored end.
  private var samples = [Float](repeating: 0, count: 64 + 512 + 64)
  private var spectra = [ComplexLanes](repeating: ComplexLanes(), count: window)
  /// The input of each convolution.
  private var layers = encoderShapes.map { [Float](repeating: 0, count: $0.size) }
  /// The input of the cell: that of the step, and its own last output.
  private var input = [Float](repeating: 0, count: 2 * width)
  private var cell = [Float](repeating: 0, count: width)
  private var rectified = [Float](repeating: 0, count: width)
  private var sums = [Float](repeating: 0, count: 4 * width)

  init(_ model: VoiceModel) { self.model = model }

  /// Takes the next 512 samples. Those that are not finite count as zero, those beyond full scale as full scale.
  ///
  /// - Returns: the probability of speech in them, from 0 to 1.
  func probability(_ step: Span<Float>) -> Float {
    precondition(step.count == Self.step)
    take(step)
    transform()
    for (index, shape) in Self.encoderShapes.enumerated() { convolve(index, shape) }
    return remember()
  }

  private func take(_ step: Span<Float>) {
    let end = Self.context + Self.step
    for index in 0..<Self.context { samples[index] = samples[end - Self.context + index] }
    for index in 0..<Self.step {
      let sample = step[index]
      samples[Self.context + index] = sample.isFinite ? max(-1, min(1, sample)) : 0
    }
    for index in 0..<Self.context { samples[end + index] = samples[end - 2 - index] }
  }

  /// Writes the magnitudes of four spectra, one in each lane, as the columns of the first convolution.
  private func transform() {
    let (transform, hann) = (Self.transform, Self.hann)
    for index in 0..<Self.window {
      var lanes = ComplexLanes()
      for column in 0..<Self.columns {
        lanes.real[column] = samples[column * Self.hop + index] * hann[index]
      }
      spectra[transform.places[index]] = lanes
    }
    transform.apply(to: &spectra)
    for bin in 0..<Self.bins {
      let lanes = spectra[bin]
      let powers = lanes.real * lanes.real + lanes.imaginary * lanes.imaginary
      for column in 0..<Self.columns {
        layers[0][(column + 1) * Self.bins + bin] = powers[column].squareRoot()
      }
    }
  }

  /// Runs a convolution into the input of the next one, or of the cell.
  private func convolve(_ index: Int, _ shape: Shape) {
    let (matrix, distance) = (model.encoder[index], shape.stride * shape.inputs)
    for column in stride(from: 0, to: shape.columns, by: 2) {
      let count = min(2, shape.columns - column)
      matrix.multiply(
        layers[index], from: column * distance, columns: count, distance, into: &sums)
      for row in 0..<shape.rows {
        for next in 0..<count {
          let value = max(0, sums[row * count + next])
          if index + 1 < layers.count {
            layers[index + 1][(column + next + 1) * shape.rows + row] = value
          } else {
            input[row] = value
          }
        }
      }
    }
  }

  private func remember() -> Float {
    let width = Self.width
    model.gates.multiply(input, from: 0, into: &sums)
    for unit in 0..<width {
      let kept = sigmoid(sums[width + unit]) * cell[unit]
      cell[unit] = kept + sigmoid(sums[unit]) * tanhf(sums[2 * width + unit])
      input[width + unit] = sigmoid(sums[3 * width + unit]) * tanhf(cell[unit])
      rectified[unit] = max(0, input[width + unit])
    }
    model.output.multiply(rectified, from: 0, into: &sums)
    return sigmoid(sums[0])
  }

  private func sigmoid(_ value: Float) -> Float { 1 / (1 + expf(-value)) }
}

/// Rows of coefficients, with a number that is added to each row's sum. Any thread.
struct VoiceMatrix: Sendable {
  private let coefficients: [Float]
  private let bias: [Float]
  /// Where each row begins, and zeros: the places for ``RowPoints``.
  private let rows: [Int]
  private let starts: [Int]
  private let columnCount: Int

  /// - Parameters:
  ///   - coefficients: by rows.
  ///   - bias: one number for each row.
  init(_ coefficients: [Float], bias: [Float]) {
    let columnCount = coefficients.count / bias.count
    self.coefficients = coefficients
    self.bias = bias
    self.columnCount = columnCount
    rows = bias.indices.map { $0 * columnCount }
    starts = bias.map { _ in 0 }
  }

  /// Writes the sum of each row's products with the numbers from `start` on, plus its bias.
  ///
  /// - Parameters:
  ///   - columns: 1, or 2 for a second sum of each row behind the first, which takes half the time of another call.
  ///   - distance: from `start` to the numbers of the second sums.
  func multiply(
    _ numbers: [Float], from start: Int, columns: Int = 1, _ distance: Int = 0,
    into sums: inout [Float]
  ) {
    let last = start + (columns - 1) * distance
    precondition(start >= 0 && last >= start && last + columnCount <= numbers.count)
    precondition(1...2 ~= columns && sums.count >= columns * bias.count)
    unsafe numbers.withUnsafeBufferPointer { numbers in
      unsafe coefficients.withUnsafeBufferPointer { coefficients in
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          unsafe rows.withUnsafeBufferPointer { rows in
            unsafe starts.withUnsafeBufferPointer { starts in
              guard let first = coefficients.baseAddress, let from = numbers.baseAddress,
                let target = sums.baseAddress, let rows = rows.baseAddress,
                let starts = starts.baseAddress
              else { return }
              var points = unsafe RowPoints(
                count: bias.count, rows: rows, starts: starts, stride: columns)
              unsafe KernelTable.current.samples.sumRows(
                false, first, columnCount, &points, from + start,
                columns == 2 ? from + last : nil, target)
            }
          }
        }
      }
    }
    for index in 0..<columns * bias.count { sums[index] += bias[index / columns] }
  }
}
