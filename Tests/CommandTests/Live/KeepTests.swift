// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// `--keep` removes old parts and no other file.
@Suite(.needsVirtualCard) struct KeepTests {
  /// When virtual time begins; see Tests/Simulation/README.md.
  private static let beginning = Date(timeIntervalSince1970: 1_700_000_000)

  private func put(
    _ name: String, daysAgo days: Double, before end: Date = Date(), bytes: Int, in bench: CardBench
  ) throws {
    let path = bench.path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try bench.write([UInt8](repeating: 0, count: bytes), to: name)
    try FileManager.default.setAttributes(
      [.modificationDate: end.addingTimeInterval(-days * 86_400)], ofItemAtPath: path)
  }

  private func files(in bench: CardBench) -> [String] {
    (FileManager.default.enumerator(atPath: bench.path(""))?.allObjects as? [String] ?? [])
      .filter { $0 != "card.log" }.sorted()
  }

  /// In virtual time, on a machine whose clock is synchronised. On another one they stay, which a line says once.
  @Test(arguments: [true, false])
  func oldPartsGo(isSynchronized: Bool) throws {
    let bench = try CardBench(["SPEED": "1"])
    for (name, days) in [
      ("2020/take-0007", 40.0), ("2020/take-0008", 31), ("2021/take-0009", 29), ("2021/take-9", 99),
    ] {
      try put("rec/\(name).wav", daysAgo: days, before: Self.beginning, bytes: 10, in: bench)
    }
    let library = VirtualCard.folder.appending(path: "simulation.so").path
    let run = try bench.pipeline(
      """
      export SIMULATION_SYNCHRONIZED=\(isSynchronized ? 1 : 0) LD_PRELOAD='\(library)'
      rawaudio capture -v -D card -r 8000 -c 1 -d 1 --keep 30d -o rec/%Y/take-%04d.wav
      """)
    #expect(run.ending == .exit(0))
    let told = run.standardError.split(separator: "\n").filter { $0.contains("remove") }
    if isSynchronized {
      #expect(
        told == [
          "rawaudio: removed 'rec/2020/take-0007.wav', 10 bytes: it is older than --keep says",
          "rawaudio: removed 'rec/2020/take-0008.wav', 10 bytes: it is older than --keep says",
        ])
    } else {
      #expect(
        told == [
          "rawaudio: cannot remove the old part 'rec/2020/take-0007.wav': the clock, by which it is old, is"
            + " not synchronised; it stays"
        ])
    }
    let old = ["rec/2020", "rec/2020/take-0007.wav", "rec/2020/take-0008.wav"]
    #expect(
      files(in: bench) == ["rec"] + (isSynchronized ? [] : old) + [
        "rec/2021", "rec/2021/take-0009.wav", "rec/2021/take-9.wav", "rec/2023",
        "rec/2023/take-0010.wav",
      ])
  }

  /// The command has failed for the first part, and waits for the second.
  @Test func partsThatTheirCommandNeedsStay() throws {
    let bench = try CardBench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "8000", "-c", "1", "-d", "4", "--split", "1", "--keep", "20kB",
      "-o", "%01d.wav", "--on-part",
      "case $RAWAUDIO_PART in 0*) exit 1;; *) until [ -e 3.wav ]; do sleep 0.01; done;; esac")
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError.contains(
        "rawaudio: cannot remove the old part '0.wav': its command of --on-part has not succeeded; it stays"
      ))
    #expect(files(in: bench).contains("0.wav"))
  }

  /// The command failed in an earlier run.
  @Test func partsThatTheirCommandNeedsStayInLaterRuns() throws {
    let bench = try CardBench()
    for _ in 0..<2 {
      let run = try bench.run(
        "capture", "-D", "card", "-r", "8000", "-c", "1", "-d", "4", "--split", "1", "--keep",
        "20kB", "-o", "%01d.wav", "--on-part", "exit 1")
      #expect(run.ending == .exit(0))
    }
    let parts = (0..<8).map { "\($0).wav" }
    #expect(files(in: bench).filter { $0.hasSuffix(".wav") } == parts)
    let run = try bench.run(
      "capture", "--json", "-D", "card", "-r", "8000", "-c", "1", "-d", "1", "--split", "1",
      "--keep", "20kB", "-o", "%01d.wav")
    #expect(run.standardError.matches(of: /"event":"part-removed".*"error":null/).count == 8)
  }

  @Test func whatIsTooMuchGoes() throws {
    let bench = try CardBench()
    try put("0.wav", daysAgo: 2, bytes: 100_000, in: bench)
    try put("1.wav", daysAgo: 1, bytes: 100_000, in: bench)
    // Three parts of 16,842 bytes.
    let run = try bench.run(
      "capture", "--json", "-D", "card", "-r", "8000", "-c", "1", "-d", "3", "--split", "1",
      "--keep", "40kB", "--keep", "10d", "-o", "%01d.wav")
    #expect(run.ending == .exit(0))
    let lines = run.standardError.split(separator: "\n")
    #expect(
      lines.filter { $0.contains("part-removed") } == [
        #"{"schema":1,"event":"part-removed","name":"%01d.wav","path":"0.wav","bytes":100000,"cause":"size","error":null}"#,
        #"{"schema":1,"event":"part-removed","name":"%01d.wav","path":"1.wav","bytes":100000,"cause":"size","error":null}"#,
        #"{"schema":1,"event":"part-removed","name":"%01d.wav","path":"2.wav","bytes":16842,"cause":"size","error":null}"#,
      ], "\(run.standardError)")
    #expect(files(in: bench) == ["3.wav", "4.wav"])
  }

  @Test(
    arguments: [
      ["convert", "tone:440", "-d", "1", "--split", "1", "--keep", "1d", "-o", "%03d.wav"]:
        "'--keep <how much>' is for recordings: it needs a device or a pipe as a source",
      ["capture", "-d", "1", "--keep", "1d", "-o", "x.wav"]:
        "The value 'x.wav' is invalid for '--output <sink>': all parts would have the same name; put %03d"
        + " into it for their number, or %H%M%S for the time",
      ["capture", "-d", "1", "--keep", "30", "-o", "%F.wav"]:
        "The value '30' is invalid for '--keep <how much>': it is an age (30d, 12h, 2w, 90min), a size"
        + " (500GiB, 700MB), or free= and a size (free=10GB)",
      ["capture", "-d", "1", "--keep", "1d", "-o", "-"]:
        "'--keep <how much>' needs files: name them with '--output <sink>', for example take-%03d.wav",
    ] as [[String]: String])
  func mistakes(arguments: [String], message: String) throws {
    let bench = try CardBench()
    let run = try bench.start(arguments).wait()
    #expect(run.ending == .exit(64))
    #expect(run.standardError.hasPrefix("Error: \(message)\n"), "\(run.standardError)")
    #expect(files(in: bench) == [])
  }
}
