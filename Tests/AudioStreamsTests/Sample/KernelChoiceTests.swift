// SPDX-License-Identifier: Apache-2.0
import CLinux
import Testing

@testable import AudioStreams

/// The copies of the kernels for newer processors.
@Suite struct KernelChoiceTests {
  @Test func theFirstCopyIsForEveryProcessor() {
    #expect(Self.address(in: .newest(upTo: 1)) == Self.address(in: .compiledHere))
  }

  #if arch(x86_64)
  @Test(arguments: [3, 4])
  func eachLevelHasItsOwnCopy(_ level: Int) {
    let own = Self.address(in: .newest(upTo: level))
    let older = Self.address(in: .newest(upTo: level == 4 ? 3 : 1))
    #expect((own != older) == (rawaudio_processor_level() >= level))
  }
  #endif

  /// The address of one kernel, by which copies are told apart.
  private static func address(in table: KernelTable) -> Int {
    unsafe unsafeBitCast(table.narrow, to: Int.self)
  }
}
