// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

extension KernelTable {
  /// The newest kernels of the program that the processor supports.
  ///
  /// The environment variable `RAWAUDIO_PROCESSOR` (`x86-64`, `x86-64-v3`, `x86-64-v4`) limits the choice to that
  /// level, to compare kernels.
  static let current: KernelTable = {
    var table = compiledHere
    var level = unsafe min(
      Int(rawaudio_processor_level()), newestLevel(getenv("RAWAUDIO_PROCESSOR")))
    while level > 1, unsafe rawaudio_fill_kernels(Int32(level), &table) == 0 { level -= 1 }
    return table
  }()

  private static func newestLevel(_ name: UnsafePointer<CChar>?) -> Int {
    guard let name = unsafe name else { return .max }
    return switch unsafe String(cString: name) {
    case "x86-64": 1
    case "x86-64-v3": 3
    default: .max
    }
  }
}
