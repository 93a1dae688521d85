// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import AudioStreams
@testable import rawaudio

@Suite struct FileSetTests {
  private func file(_ number: Int, on device: UInt64 = 2_049) -> FileIdentity {
    var status = stat()
    status.st_dev = dev_t(device)
    status.st_ino = ino_t(number)
    return FileIdentity(status)
  }

  /// Every inserted file is found; of the others, almost none.
  @Test func manyFiles() {
    var set = FileSet()
    var repeated = 0
    for number in 0..<100_000 where set.insert(file(number)) { repeated += 1 }
    #expect(repeated == 0)
    #expect((0..<100_000).allSatisfy { set.mayContain(file($0)) })
    #expect(!(100_000..<200_000).contains { set.mayContain(file($0)) })
    #expect(!(0..<100_000).contains { set.mayContain(file($0, on: 2_050)) })
    let wasThere = set.insert(file(7))
    #expect(wasThere)
  }
}
