// SPDX-License-Identifier: Apache-2.0
internal import AudioKernels
internal import CLinux
internal import Glibc

// Package.swift has these for x86-64 only. They declare each name of AudioKernels again.
#if canImport(AudioKernelsV3)
internal import AudioKernelsV3
internal import AudioKernelsV4
#endif

extension AudioKernels.KernelTable {
  /// The newest kernels that the processor supports.
  ///
  /// The environment variable `RAWAUDIO_PROCESSOR` (`x86-64`, `x86-64-v3`, `x86-64-v4`) limits the choice to that
  /// level, to compare kernels.
  static let current = newest(upTo: unsafe newestLevel(getenv("RAWAUDIO_PROCESSOR")))

  /// The newest kernels that the processor supports, of at most a level of the x86-64 psABI.
  static func newest(upTo level: Int) -> AudioKernels.KernelTable {
    var table = compiledHere
    switch min(Int(rawaudio_processor_level()), level) {
    #if canImport(AudioKernelsV3)
    case 4...: unsafe AudioKernelsV4.KernelTable.replace(&table)
    case 3: unsafe AudioKernelsV3.KernelTable.replace(&table)
    #endif
    default: break
    }
    return table
  }

  private static func newestLevel(_ name: UnsafePointer<CChar>?) -> Int {
    guard let name = unsafe name else { return .max }
    return switch unsafe String(cString: name) {
    case "x86-64": 1
    case "x86-64-v3": 3
    default: .max
    }
  }
}
