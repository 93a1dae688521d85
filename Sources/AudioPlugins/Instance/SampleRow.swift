// SPDX-License-Identifier: Apache-2.0
/// The samples of one channel of a block, at a constant address, which plug-ins keep.
///
/// Only the thread that runs the plug-ins uses it.
@safe
final class SampleRow {
  /// Samples of a block.
  let length: Int
  private let base: UnsafeMutablePointer<Float>

  init(length: Int, filledWith value: Float = 0) {
    self.length = length
    // Aligned for the vector loops of plug-ins with registers of any width.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, length) * MemoryLayout<Float>.stride, alignment: 64)
    unsafe base = memory.bindMemory(to: Float.self, capacity: max(1, length))
    unsafe base.initialize(repeating: value, count: max(1, length))
  }

  deinit { unsafe base.deallocate() }

  /// The address for a plug-in's port.
  var address: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(base) }

  subscript(index: Int) -> Float {
    get {
      precondition(index >= 0 && index < length)
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < length)
      unsafe base[index] = newValue
    }
  }

  func fill(with value: Float) { unsafe base.update(repeating: value, count: length) }

  /// Replaces NaN and infinite samples by silence.
  ///
  /// - Returns: the number of replaced samples.
  func silenceWhatIsNotFinite() -> Int {
    var count = 0
    for index in 0..<length where unsafe !base[index].isFinite {
      unsafe base[index] = 0
      count += 1
    }
    return count
  }
}
