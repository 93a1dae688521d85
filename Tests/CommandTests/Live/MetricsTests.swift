// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// `capture --metrics`: the figures of the run, in a file that is always whole.
@Suite(.needsVirtualCard) struct MetricsTests {
  /// The values by name and labels.
  private func values(_ text: String) -> [String: Double] {
    var values: [String: Double] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let space = line.lastIndex(of: " ") else { continue }
      let number = line[line.index(after: space)...].replacing("Inf", with: "infinity")
      values[String(line[..<space])] = Double(number)
    }
    return values
  }

  @Test func theFiguresAreThoseOfTheRun() throws {
    let samples = (0..<48_000).map { Int16($0 % 2 == 0 ? 16_384 : -16_384) }
    let bench = try CardBench(input: samples.flatMap { DeviceBytes.littleEndian($0) })
    let run = try bench.run(
      "capture", "-D", "card", "-r", "8000", "-c", "1", "-f", "s16", "-d", "40000S", "--split",
      "16000S", "-o", "p%02d.wav", "--metrics", "m.prom", "--alarm-clipping", "-q")
    #expect(run.ending == .exit(0) && run.standardError == "", "\(run.standardError)")
    let text = String(decoding: try bench.bytes(of: "m.prom"), as: UTF8.self)
    let values = values(text)
    #expect(values["rawaudio_running"] == 0)
    #expect(values["rawaudio_stream_seconds_total"] == 5)
    #expect(values[#"rawaudio_parts_total{output="p%02d.wav"}"#] == 3)
    let bytes = try ["p00.wav", "p01.wav", "p02.wav"].reduce(0) {
      try $0 + bench.bytes(of: $1).count
    }
    #expect(values[#"rawaudio_part_bytes_total{output="p%02d.wav"}"#] == Double(bytes))
    #expect(values[#"rawaudio_alarm{alarm="clipping",output="p%02d.wav"}"#] == 0)
    #expect(values[#"rawaudio_device_present{device="card"}"#] == 1)
    #expect(values[#"rawaudio_peak_dbfs{output="p%02d.wav",channel="1"}"#] == -6.02)
    #expect(values[#"rawaudio_rms_dbfs{output="p%02d.wav",channel="1"}"#] == -6.02)
    #expect(values[#"rawaudio_dc_offset{output="p%02d.wav",channel="1"}"#] == 0)
    #expect(try #require(values[#"rawaudio_device_samples_total{device="card"}"#]) >= 40_000)
    #expect(!bench.exists(".m.prom.rawaudio-partial"))

    // The document lists every metric, and its rules name only such.
    let document = try String(
      contentsOf: Package.folder.appending(path: "docs/unattended.md"), encoding: .utf8)
    let types = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
    let names = Set(types.map { String($0.split(separator: " ")[2]) })
    let listed = Set(document.matches(of: /`(rawaudio_\w+)`/).map { String($0.output.1) })
    #expect(names == listed)
    let rules = try #require(document.firstMatch(of: /`{3}yaml\n((?s).*?)`{3}/)).output.1
    let used = Set(rules.matches(of: /rawaudio_\w+/).map { String($0.output) })
    #expect(used.count == 7 && used.isSubset(of: names))
  }

  /// The recording is more important.
  @Test func aFileThatCannotBeWrittenIsToldOnce() throws {
    let bench = try CardBench(input: [UInt8](repeating: 0, count: 64_000))
    let run = try bench.run(
      "capture", "-D", "card", "-r", "8000", "-c", "1", "-f", "s16", "-d", "8000S", "-o", "a.wav",
      "--metrics", "no/m.prom")
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError
        == "rawaudio: --metrics: cannot write to 'no/m.prom': its directory does not exist\n")
    #expect(try bench.wave("a.wav").samples.count == 16_000)
  }
}
