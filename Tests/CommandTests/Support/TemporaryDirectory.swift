// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A new directory, removed with all its contents at its release.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appending(path: "rawaudio-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      fatalError("cannot make \(url.path): \(error)")
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appending(path: name) }
}

extension TemporaryDirectory {
  /// The sorted names of its files, hidden ones included.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: file(name))
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: file(name)))
  }
}

extension TemporaryDirectory {
  /// Writes `count` different sounds of 0.1 s, named `in/NN.wav`, and returns their names.
  func writeSounds(_ count: Int, in folder: String = "in") throws -> [String] {
    try FileManager.default.createDirectory(at: file(folder), withIntermediateDirectories: true)
    var noise = Noise(5)
    return try (0..<count).map { number in
      let name = "\(folder)/\(number < 10 ? "0" : "")\(number).wav"
      let samples = noise.samples(4_410 + number, peak: 20_000)
      try write(WaveBytes.file(samples, sampleRate: 44_100), name)
      return name
    }
  }
}
