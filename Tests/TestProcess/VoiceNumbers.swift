// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Numbers for the network of `VoiceModel`, as a file in the format safetensors.
package struct VoiceNumbers {
  package struct Tensor {
    package let name: String
    package let shape: [Int]
    package var numbers: [Float]
  }

  package var tensors: [Tensor]

  /// Zeros.
  package init() {
    tensors = []
    for (index, (rows, inputs)) in [(128, 129), (64, 128), (64, 64), (128, 64)].enumerated() {
      add("encoder.\(index).weight", [rows, inputs, 3])
      add("encoder.\(index).bias", [rows])
    }
    add("lstm.weight_ih", [512, 128])
    add("lstm.weight_hh", [512, 128])
    add("lstm.bias_ih", [512])
    add("lstm.bias_hh", [512])
    add("output.weight", [1, 128, 1])
    add("output.bias", [1])
  }

  private mutating func add(_ name: String, _ shape: [Int]) {
    tensors.append(
      Tensor(name: name, shape: shape, numbers: Array(repeating: 0, count: shape.reduce(1, *))))
  }

  /// The numbers of a tensor.
  package subscript(name: String) -> [Float] {
    get { tensors.first { $0.name == name }?.numbers ?? [] }
    set {
      for index in tensors.indices where tensors[index].name == name {
        tensors[index].numbers = newValue
      }
    }
  }

  /// A network to which a step is speech if it is loud: a tone of an amplitude from 0.2 on for most of the step; a tone up to
  /// 0.02 is none.
  package static var loud: VoiceNumbers {
    var numbers = VoiceNumbers()
    // The magnitudes of a column, then the columns, are summed up.
    for input in 0..<129 { numbers["encoder.0.weight"][input * 3 + 1] = 0.01 }
    for column in 0..<3 { numbers["encoder.1.weight"][column] = 0.3 }
    for column in 0..<3 { numbers["encoder.2.weight"][column] = 0.5 }
    numbers["encoder.3.weight"][1] = 1
    // Input and output gates are open, the forget gate is shut: the cell is as loud as the step.
    numbers["lstm.bias_ih"][0] = 20
    numbers["lstm.bias_ih"][128] = -20
    numbers["lstm.weight_ih"][256 * 128] = 40
    numbers["lstm.bias_ih"][256] = -4
    numbers["lstm.bias_ih"][384] = 20
    numbers["output.weight"][0] = 40
    numbers["output.bias"][0] = -10
    return numbers
  }

  /// The file.
  package var bytes: [UInt8] {
    var (entries, data): ([String], [UInt8]) = ([], [])
    for tensor in tensors {
      let end = data.count + 4 * tensor.numbers.count
      entries.append(
        #""\#(tensor.name)":{"dtype":"F32","shape":\#(tensor.shape),"data_offsets":[\#(data.count),\#(end)]}"#
      )
      for number in tensor.numbers {
        data += (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
      }
    }
    let header = Array("{\(entries.joined(separator: ","))}".utf8)
    return (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) } + header + data
  }

  /// Writes the file below a folder for data, as an installation does.
  package func install(in folder: URL) throws {
    let place = folder.appending(path: "rawaudio")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(bytes).write(to: place.appending(path: "silero-vad-6.2.safetensors"))
  }
}
