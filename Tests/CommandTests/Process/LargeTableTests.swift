// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Tables as large as they may be: memory stays bounded, and too many rows or cells are refused.
@Suite struct LargeTableTests {
  let directory = TemporaryDirectory()
  private static let largest = 16 << 20

  private func write(_ head: String, _ row: (Int) -> String) throws {
    var text = Array(head.utf8)
    text.reserveCapacity(Self.largest)
    for number in 0... {
      let line = Array(row(number).utf8)
      guard text.count + line.count <= Self.largest else { break }
      text += line
    }
    try directory.write(text, "t.csv")
  }

  /// 1.9 million rows of one source, and 1.5 million of a source each. No row states its end.
  enum Rows: CaseIterable {
    case ofOneSource, ofManySources

    var head: String { self == .ofOneSource ? "start\n" : "source,start\n" }

    func row(_ number: Int) -> String {
      self == .ofOneSource ? "\(1_000_000 + number)S\n" : "s\(1_000_000 + number),0\n"
    }
  }

  /// The figure stands in SECURITY.md.
  @Test(arguments: Rows.allCases)
  func memoryIsBounded(_ rows: Rows) throws {
    try write(rows.head, rows.row)
    let measuring = """
      import resource, subprocess, sys
      code = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode
      print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let sources = rows == .ofOneSource ? ["none.wav"] : []
    let run = try RunningProcess(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", "-c", measuring, BuiltProducts.rawaudio.path, "convert"] + sources
        + ["--segments", "t.csv", "-o", "null:", "--max-failures", "1", "-j", "2"],
      in: directory.url
    ).wait()
    let numbers = run.outputText.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 2, "\(run.standardError)")
    #expect(numbers[0] == 1)
    #expect(numbers[1] < 200 << 10, "\(rows): \(numbers[1]) KiB")
  }

  @Test func tooManyAreRefused() throws {
    func refusal() throws -> String {
      try directory.run("convert", "none.wav", "--segments", "t.csv", "-o", "{n}.wav")
        .standardError
    }
    let advice = "; give its rows as lines of JSON to --list, which has no limit\n"
    try write("start\n") { _ in "1\n" }
    #expect(
      try refusal()
        == "rawaudio: cannot read the table 't.csv': it has more than 2097152 rows\(advice)")
    try write("start\n") { _ in "x\n" }
    #expect(
      try refusal()
        == "rawaudio: cannot read the table 't.csv': more than 65536 of its rows are wrong\(advice)"
    )
    try write("start\n") { _ in "," }
    #expect(
      try refusal()
        == "rawaudio: cannot read the table 't.csv': line 2 has more than 4096 cells\n")
  }
}
