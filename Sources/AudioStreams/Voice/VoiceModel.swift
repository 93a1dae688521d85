// SPDX-License-Identifier: Apache-2.0
/// The numbers of a network that tells speech from other sounds: Silero VAD 6.2 (MIT licence,
/// https://github.com/snakers4/silero-vad).
///
/// 243,585 numbers in single precision, about a megabyte. Loading takes a few milliseconds; one model serves any number of
/// ``VoiceActivity`` on any threads.
public final class VoiceModel: Sendable {
  /// The name of the file with the numbers, which `make voice-data` makes.
  public static let fileName = "silero-vad-6.2.safetensors"

  /// Four convolutions over time, of three columns each.
  let encoder: [VoiceMatrix]
  /// The four gates of the LSTM cell, one after the other: input, forget, cell, output. Its columns are the encoder's
  /// output, then the cell's own.
  let gates: VoiceMatrix
  /// One row.
  let output: VoiceMatrix

  /// Reads the numbers from a file in the format safetensors
  /// (https://github.com/huggingface/safetensors): eight bytes with the length of a header, the header in JSON, the numbers.
  ///
  /// - Throws: `notFound`, `unavailable` or `inputOutput` if it cannot be read; `malformed` if it is another file.
  public init(path: String) throws(AudioError) {
    let tensors = try Tensors(path: path)
    var encoder: [VoiceMatrix] = []
    for (index, shape) in VoiceNetwork.encoderShapes.enumerated() {
      let numbers = try tensors.numbers("encoder.\(index).weight", [shape.rows, shape.inputs, 3])
      // The inputs of one column lie side by side, so a row is one run over three columns.
      var columns = [Float](repeating: 0, count: numbers.count)
      for row in 0..<shape.rows {
        for input in 0..<shape.inputs {
          for column in 0..<3 {
            columns[(row * 3 + column) * shape.inputs + input] =
              numbers[(row * shape.inputs + input) * 3 + column]
          }
        }
      }
      encoder.append(
        VoiceMatrix(columns, bias: try tensors.numbers("encoder.\(index).bias", [shape.rows])))
    }
    self.encoder = encoder
    let width = VoiceNetwork.width
    let fromInput = try tensors.numbers("lstm.weight_ih", [4 * width, width])
    let fromState = try tensors.numbers("lstm.weight_hh", [4 * width, width])
    var rows: [Float] = []
    rows.reserveCapacity(8 * width * width)
    for row in 0..<4 * width {
      rows += fromInput[row * width..<(row + 1) * width]
      rows += fromState[row * width..<(row + 1) * width]
    }
    let biases = try (
      tensors.numbers("lstm.bias_ih", [4 * width]), tensors.numbers("lstm.bias_hh", [4 * width])
    )
    gates = VoiceMatrix(rows, bias: zip(biases.0, biases.1).map(+))
    output = VoiceMatrix(
      try tensors.numbers("output.weight", [1, width, 1]),
      bias: try tensors.numbers("output.bias", [1]))
  }
}
