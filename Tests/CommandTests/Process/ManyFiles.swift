// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Tests of `rawaudio convert` of many files.
protocol ManyFiles {
  var directory: TemporaryDirectory { get }
}

extension ManyFiles {
  func makeInputs(_ count: Int, in folder: String = "in") throws -> [String] {
    try directory.writeSounds(count, in: folder)
  }

  func run(_ words: String...) throws -> ProcessRun {
    try directory.run(["convert"] + words)
  }

  func samples(_ name: String) throws -> [Int16] {
    WaveBytes.samples(try directory.bytes(name))
  }

  func lines(_ name: String) throws -> [[String: Any]] {
    try String(decoding: directory.bytes(name), as: UTF8.self).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }
}
