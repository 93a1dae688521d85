// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// The parts that stay on the disk.
@Suite struct PartRetentionTests {
  let scratch = ScratchDirectory()
  private static let now = CivilTime.utc2026(7, 1, 12)

  private final class Told {
    var paths: [String] = []
  }

  /// Writes a file of `bytes` bytes that ended `hours` hours ago.
  private func put(_ name: String, hoursAgo hours: Double, bytes: Int = 100) throws {
    let path = scratch.file(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(repeating: 1, count: bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(Self.now) - hours * 3_600)],
      ofItemAtPath: path)
  }

  /// - Parameter passed: the seconds since the first moment.
  private func moment(at time: Int = now, passed: Int = 0) -> RecordingClock.Moment {
    RecordingClock.Moment(
      realTime: Int64(time) * 1_000_000_000,
      monotonic: MonotonicTime(nanoseconds: passed * 1_000_000_000 + 1_000_000))
  }

  private func keeper(
    _ pattern: String, _ retention: PartRetention,
    sparing spares: @escaping (String) -> Bool = { _ in false },
    isClockSynchronized: @escaping () -> Bool = { true },
    room: @escaping (Pathname) -> Int64? = { _ in nil }
  ) throws -> PartKeeper {
    var system = PartKeeper.System()
    system.isClockSynchronized = isClockSynchronized
    system.room = room
    return try PartKeeper(
      try PartNames(scratch.file(pattern)), retention, sparing: spares, system: system)
  }

  private func names(_ removals: [PartRemoval]) -> [String] {
    removals.map { String($0.path.dropFirst(scratch.path.count + 1)) }
  }

  private var files: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: scratch.path)) ?? []).sorted()
  }

  @Test func whatIsTooOldGoes() throws {
    for hours in [1.0, 2, 3, 4, 5] { try put("take-00\(Int(hours)).wav", hoursAgo: hours) }
    try put("take-006.wav~", hoursAgo: 100)
    try put("notes.txt", hoursAgo: 100)
    try put("take-0007.wav", hoursAgo: 100)
    var keeper = try keeper("take-%03d.wav", PartRetention(age: .seconds(3 * 3_600)))
    let removals = keeper.clear(beside: nil, at: moment())
    #expect(names(removals) == ["take-005.wav", "take-004.wav"])
    #expect(removals.map(\.cause) == [.age, .age])
    #expect(removals.map(\.failure) == [nil, nil])
    #expect(
      files == [
        "notes.txt", "take-0007.wav", "take-001.wav", "take-002.wav", "take-003.wav",
        "take-006.wav~",
      ])
    #expect(keeper.clear(beside: nil, at: moment()) == [])
  }

  @Test func whatIsTooMuchGoes() throws {
    for hours in [1.0, 2, 3, 4, 5] {
      try put("take-00\(Int(hours)).wav", hoursAgo: hours, bytes: 100)
    }
    try put("large.bin", hoursAgo: 9, bytes: 100_000)
    var keeper = try keeper("take-%03d.wav", PartRetention(size: 250))
    // The current part counts when it is complete.
    let removals = keeper.clear(beside: scratch.file("take-001.wav"), at: moment())
    #expect(names(removals) == ["take-005.wav", "take-004.wav"])
    #expect(removals.map(\.cause) == [.size, .size])
    #expect(removals.map(\.bytes) == [100, 100])
    #expect(names(keeper.clear(beside: nil, at: moment())) == ["take-003.wav"])
    #expect(files == ["large.bin", "take-001.wav", "take-002.wav"])
  }

  @Test func theLastNeverGoes() throws {
    try put("a-1.wav", hoursAgo: 1_000, bytes: 1_000)
    try put("a-2.wav", hoursAgo: 999, bytes: 1_000)
    var keeper = try keeper("a-%01d.wav", PartRetention(age: .seconds(1), size: 1))
    #expect(names(keeper.clear(beside: nil, at: moment())) == ["a-1.wav"])
    #expect(files == ["a-2.wav"])
  }

  @Test func foldersOfThePatternGoWithTheirLastPart() throws {
    try put("2026/06/x/01.wav", hoursAgo: 300)
    try put("2026/06/x/02.wav", hoursAgo: 290)
    try put("2026/05/x/02.wav", hoursAgo: 400)
    try put("2026/05/mine.txt", hoursAgo: 400)
    try put("2025/12/x/31.wav", hoursAgo: 4_000)
    try put("2026/07/x/01.wav", hoursAgo: 1)
    var keeper = try keeper("%Y/%m/x/%d.wav", PartRetention(age: .seconds(24 * 3_600)))
    #expect(
      names(keeper.clear(beside: nil, at: moment())) == [
        "2025/12/x/31.wav", "2026/05/x/02.wav", "2026/06/x/01.wav", "2026/06/x/02.wav",
      ])
    // A folder common to all parts, or one that is not empty, is kept.
    #expect(
      files == [
        "2025", "2025/12", "2025/12/x", "2026", "2026/05", "2026/05/mine.txt", "2026/05/x",
        "2026/06", "2026/06/x", "2026/07", "2026/07/x", "2026/07/x/01.wav",
      ])
    try put("2024/12-31.wav", hoursAgo: 9_000)
    try put("2027/01-01.wav", hoursAgo: 0)
    var flat = try self.keeper("%Y/%m-%d.wav", PartRetention(age: .seconds(24 * 3_600)))
    #expect(names(flat.clear(beside: nil, at: moment())) == ["2024/12-31.wav"])
    #expect(!files.contains("2024"))
  }

  @Test func linksAreNotFollowed() throws {
    try put("elsewhere/01.wav", hoursAgo: 500)
    try put("2026/02.wav", hoursAgo: 1)
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: scratch.file("2025"), withDestinationPath: scratch.file("elsewhere"))
    try manager.createSymbolicLink(
      atPath: scratch.file("2026/01.wav"), withDestinationPath: scratch.file("elsewhere/01.wav"))
    try put("2026/03.wav/inside", hoursAgo: 500)
    let before = files
    var keeper = try keeper("%Y/%m.wav", PartRetention(age: .seconds(60), size: 1))
    #expect(keeper.clear(beside: nil, at: moment()) == [])
    #expect(files == before)
  }

  /// A clock that starts wrong and is set later makes no new part old.
  @Test func aClockThatIsSetRemovesNothing() throws {
    try put("01.wav", hoursAgo: 0)
    try put("02.wav", hoursAgo: 0)
    var keeper = try keeper("%H.wav", PartRetention(age: .seconds(3_600)))
    for number in 1...2 { keeper.completed(scratch.file("0\(number).wav"), at: moment()) }
    let inAYear = moment(at: Self.now + 365 * 86_400)
    #expect(keeper.clear(beside: nil, at: inAYear) == [])
    // Only a synchronised clock tells the age of a part of an earlier run.
    var other = try self.keeper("%H.wav", PartRetention(age: .seconds(3_600)))
    #expect(names(other.clear(beside: nil, at: inAYear)) == ["01.wav"])
  }

  /// A start 400 days ahead removes nothing of an archive, and reports that once.
  @Test func aWrongClockAtTheStartRemovesNothing() throws {
    for hours in [1, 2, 3, 4] { try put("take-00\(hours).wav", hoursAgo: Double(hours)) }
    var isSynchronized = false
    var keeper = try keeper(
      "take-%03d.wav", PartRetention(age: .seconds(2.5 * 3_600)),
      isClockSynchronized: { isSynchronized })
    let ahead = moment(at: Self.now + 400 * 86_400)
    let first = keeper.clear(beside: nil, at: ahead)
    #expect(names(first) == ["take-004.wav"])
    #expect(first.map(\.failure) == ["the clock, by which it is old, is not synchronised"])
    #expect(keeper.clear(beside: nil, at: ahead) == [])
    #expect(files.count == 4)
    isSynchronized = true
    #expect(names(keeper.clear(beside: nil, at: moment())) == ["take-004.wav", "take-003.wav"])
    #expect(files == ["take-001.wav", "take-002.wav"])
  }

  /// Space counts by any clock.
  @Test func aWrongClockKeepsNothingThatIsTooMuch() throws {
    for hours in [1, 2, 3, 4] { try put("take-00\(hours).wav", hoursAgo: Double(hours)) }
    var keeper = try keeper(
      "take-%03d.wav", PartRetention(age: .seconds(60), size: 250), isClockSynchronized: { false })
    #expect(keeper.clear(beside: nil, at: moment()).map(\.cause) == [.size, .size, .age])
    #expect(files == ["take-001.wav", "take-002.wav"])
  }

  /// Parts of 100 bytes; the disk has room for 1000.
  @Test func theOldestGoWhileTheDiskHasLessRoom() throws {
    for hours in 1...8 { try put("take-00\(hours).wav", hoursAgo: Double(hours)) }
    let retention = PartRetention(free: 450)
    let scratch = scratch
    func files() -> Int {
      ((try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []).count
    }
    var keeper = try keeper(
      "take-%03d.wav", retention, isClockSynchronized: { false },
      room: { _ in Int64(1_000 - 100 * files()) })
    let removals = keeper.clear(beside: nil, at: moment())
    #expect(names(removals) == ["take-008.wav", "take-007.wav", "take-006.wav"])
    #expect(removals.map(\.cause) == [.free, .free, .free])
    #expect(keeper.clear(beside: nil, at: moment()) == [])
    // A write that failed counts more than a report of room.
    #expect(keeper.clear(beside: nil, at: moment(), isFull: true).count > 0)
    // A file system that tells nothing of removals loses no more than it asks for.
    for hours in 1...8 { try put("take-00\(hours).wav", hoursAgo: Double(hours)) }
    var late = try self.keeper("take-%03d.wav", retention, room: { _ in 200 })
    #expect(late.clear(beside: nil, at: moment()).count == 3)
  }

  /// A part of this run has an older date than an archive if the clock was wrong.
  @Test func earlierRunsGoFirst() throws {
    for hours in 1...3 { try put("take-00\(hours).wav", hoursAgo: Double(hours)) }
    try put("take-004.wav", hoursAgo: 90_000)
    var keeper = try keeper("take-%03d.wav", PartRetention(size: 250))
    keeper.completed(scratch.file("take-004.wav"), at: moment())
    #expect(names(keeper.clear(beside: nil, at: moment())) == ["take-003.wav", "take-002.wav"])
    #expect(files == ["take-001.wav", "take-004.wav"])
  }

  /// Those stay at any age, and where the disk is full, and are told once.
  @Test func whatIsNeededStays() throws {
    for hours in 1...5 { try put("take-00\(hours).wav", hoursAgo: Double(hours)) }
    var needed: Set<String> = [scratch.file("take-004.wav"), scratch.file("take-005.wav")]
    var keeper = try keeper(
      "take-%03d.wav", PartRetention(age: .seconds(60), free: 1), sparing: { needed.contains($0) },
      room: { _ in 0 })
    let removals = keeper.clear(beside: nil, at: moment(), isFull: true)
    #expect(names(removals) == ["take-005.wav", "take-003.wav", "take-002.wav"])
    #expect(removals[0].failure == "its command of --on-part has not succeeded")
    #expect(files == ["take-001.wav", "take-004.wav", "take-005.wav"])
    needed = [scratch.file("take-005.wav")]
    #expect(names(keeper.clear(beside: nil, at: moment())) == ["take-004.wav"])
    #expect(files == ["take-001.wav", "take-005.wav"])
  }

  /// A part of this run ages by elapsed time, independent of the clock.
  @Test func partsOfThisRunAgeByTheTimeThatPasses() throws {
    for number in 1...2 { try put("0\(number).wav", hoursAgo: 0) }
    var keeper = try keeper("%H.wav", PartRetention(age: .seconds(3_600)))
    keeper.completed(scratch.file("01.wav"), at: moment())
    keeper.completed(scratch.file("02.wav"), at: moment(passed: 1_800))
    let before = moment(at: Self.now - 1_000_000, passed: 3_599)
    #expect(keeper.clear(beside: nil, at: before) == [])
    let after = moment(at: Self.now - 1_000_000, passed: 3_601)
    #expect(names(keeper.clear(beside: nil, at: after)) == ["01.wav"])
  }

  /// Two recorders with one pattern: neither removes the other's current part.
  @Test func aPartThatIsWrittenStays() throws {
    for hours in [1, 2, 3] { try put("0\(hours)/a.wav", hoursAgo: Double(hours)) }
    let written = try OutputFile(path: scratch.file("03/a.wav"), overwrites: true, .inPlace)
    var keeper = try keeper("%m/a.wav", PartRetention(age: .seconds(60), size: 1))
    #expect(names(keeper.clear(beside: nil, at: moment())) == ["02/a.wav"])
    #expect(files == ["01", "01/a.wav", "03", "03/a.wav"])
    written.discard()
    #expect(files == ["01", "01/a.wav", "03", "03/a.wav"])
    try written.commit()
    #expect(names(keeper.clear(beside: nil, at: moment())) == ["03/a.wav"])
  }

  @Test func aFileThatAnotherRunWrites() throws {
    try put("take.wav", hoursAgo: 1)
    let other = unsafe open(scratch.file("take.wav"), O_RDWR | O_CLOEXEC)
    defer { close(other) }
    #expect(flock(other, LOCK_EX) == 0)
    let error = #expect(throws: AudioError.self) {
      _ = try OutputFile(path: scratch.file("take.wav"), overwrites: true, .inPlace)
    }
    #expect(error?.kind == .unavailable)
    #expect(error?.reason == "another run is writing to it")
    #expect(files == ["take.wav"])
  }

  /// A part that cannot be removed is reported once, and the others are removed.
  @Test func whatCannotBeRemoved() throws {
    for day in 1...4 { try put("0\(day)/a.wav", hoursAgo: Double(100 - day)) }
    let names = try PartNames(scratch.file("%m/a.wav"))
    var system = PartKeeper.System()
    system.isClockSynchronized = { true }
    system.remove = { matching, file in
      file.path.contains("/02/") || file.path.contains("/03/") ? EROFS : matching.remove(file)
    }
    var keeper = try PartKeeper(names, PartRetention(age: .seconds(60)), system: system)
    let first = keeper.clear(beside: nil, at: moment())
    #expect(self.names(first) == ["01/a.wav", "02/a.wav", "03/a.wav"])
    #expect(
      first.map(\.failure) == [nil, "read-only file system", "read-only file system"])
    #expect(keeper.clear(beside: nil, at: moment()) == [])
    #expect(files == ["02", "02/a.wav", "03", "03/a.wav", "04", "04/a.wav"])
  }

  @Test func namesThatCannotBeFoundAgain() throws {
    do throws(AudioError) {
      _ = try PartKeeper(try PartNames("%20F.wav"), PartRetention(size: 1))
      Issue.record("it was taken")
    } catch {
      #expect(
        error.description
          == "cannot keep only some parts of '%20F.wav': names from its conversions cannot be told from"
          + " other names; write them without flags and widths")
    }
  }

  @Test func aRecordingThatKeepsTenMinutes() throws {
    let recording = try ClockedRecording(
      scratch.file("%H/%M%S.raw"), [.clock(ClockInterval(seconds: 60))],
      at: Int(Date().timeIntervalSince1970), rate: 1_000, in: .utc)
    try put("07/0000.raw", hoursAgo: 10_000)
    try put("07/mine.raw", hoursAgo: 10_000)
    recording.sink.retention = PartRetention(size: 60 * 1_000 * 4 * 10)
    let told = Told()
    recording.sink.onRemoval = { told.paths.append($0.path) }
    try recording.begin()
    try recording.take(1)
    #expect(told.paths == [])
    for _ in 0..<30 { try recording.take(seconds: 60) }
    try recording.end()
    let parts = recording.parts.map(\.path)
    let removed = told.paths
    #expect(removed.first == scratch.file("07/0000.raw"))
    #expect(removed.dropFirst() == parts.prefix(removed.count - 1))
    let kept = parts.filter { FileManager.default.fileExists(atPath: $0) }
    #expect(kept == parts.suffix(kept.count))
    #expect((10...11).contains(kept.count))
    #expect(files.contains("07/mine.raw"))
  }
}
