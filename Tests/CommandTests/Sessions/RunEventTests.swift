// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import AudioCore
@testable import AudioDevices
@testable import AudioFiles
@testable import rawaudio

/// The JSON lines of a run, and `docs/events.md`, which describes them.
struct RunEventTests {
  private let document: EventDocument

  init() throws { document = try EventDocument() }

  private static var types: [any DescribedEvent.Type] {
    RunEvent.described + [Summary.self]
  }

  /// The rows of the tables and the members of the types agree.
  @Test func everyMemberIsDocumented() throws {
    for type in Self.types {
      let section = try #require(document.sections[type.name], "\(type.name)")
      #expect(section.members == Set(type.memberNames + ["event"]), "\(type.name)")
    }
    #expect(document.parts["source"] == names(Summary.Source.members, Summary.Device.members))
    #expect(document.parts["device"] == names(Summary.Device.members))
    #expect(document.parts["sink"] == names(Summary.Sink.members))
    func names<Subject>(_ members: [Member<Subject>]) -> Set<String> {
      Set(members.map(\.name))
    }
    func names<Subject, Part>(_ members: [Member<Subject>], _ parts: [Member<Part>])
      -> Set<String>
    {
      Set(members.map(\.name)).subtracting(parts.map(\.name))
    }
  }

  @Test func everyDocumentedEventIsTold() {
    // An observer of the library writes these.
    let others: Set<String> = ["loudness", "voice"]
    #expect(Set(document.sections.keys).subtracting(others) == Set(Self.types.map { $0.name }))
  }

  @Test func everyExampleHasTheMembersOfItsEvent() throws {
    for type in Self.types {
      let section = try #require(document.sections[type.name])
      for example in section.examples {
        let names = try memberNames(JSONValue(reading: example.utf8))
        #expect(names.prefix(2) == ["schema", "event"])
        let order = type.memberNames
        #expect(Array(names.dropFirst(2)) == order.filter(names.contains), "\(example)")
        #expect(type.requiredNames.isSubset(of: names), "\(example)")
      }
    }
  }

  /// An event with the example's values prints the example.
  @Test func anEventIsToldAsItsExample() throws {
    let gap = DeviceGap(
      cause: .xrun, position: 592_560, lostSamplesPerChannel: 1_234, uncertainty: 48, occurrences: 1
    )
    let day = "%Y/%m/%d/%H%M%S.flac"
    let events: [any DescribedEvent] = [
      RunEvent.Gap(
        source: .local, device: "hw:CARD=PCH,DEV=0",
        gap: LocatedGap(gap: gap, sampleRate: 48_000), time: "2026-03-29T12:00:12.345+00:00",
        isNoted: false),
      RunEvent.Part(
        path: "take-001.wav", index: 1, position: 2_880_000, samplesPerChannel: 2_880_000,
        time: 1_774_785_660_000_000_000, civilTime: .utc,
        sink: try sink(at: .publish, sampleRate: 48_000, channelCount: 2), bytes: 11_520_080),
      AlarmChange(
        kind: .silence, begins: true, position: 88_200, time: "2026-03-29T12:00:02.000+00:00",
        output: "take.wav", sampleRate: 44_100),
      RunEvent.Removal(
        output: day,
        removal: PartRemoval(
          path: "2026/02/27/140000.flac", bytes: 261_453_211, cause: .age, failure: nil)),
      RunEvent.OutputGap(
        output: "%F_%H%M%S.flac", samples: 172_800_000..<173_760_000, sampleRate: 48_000,
        time: 1_774_785_600_000_000_000, civilTime: .utc),
    ]
    for event in events {
      let section = try #require(document.sections[type(of: event).name])
      #expect(section.examples.first == event.line.compact)
    }
  }

  @Test func theClockIsToldInTheZoneOfTheParts() throws {
    let step = ClockStep(
      position: 172_800_000, sampleRate: 48_000, nanoseconds: 3_600_000_000_000,
      time: 1_774_789_200_010_000_000)
    let event = RunEvent.ClockChange(
      output: "%Y/%m/%d/%H%M%S.flac", step: step, civilTime: .local)
    let example = try #require(document.sections["clock-step"]?.examples.first)
    // The zone is the machine's.
    let head = example.prefix { $0 != "}" }.components(separatedBy: #","time""#)[0]
    #expect(event.line.compact.hasPrefix(head + #","time":"#))
    #expect(
      event.sentences == [
        .note(
          "'%Y/%m/%d/%H%M%S.flac': the clock went 1:00:00.000 forward at sample 172800000, and shows "
            + CivilTime.local.description(of: step.time))
      ])
  }

  /// Events of other threads come in order, before the next event. Each reader gets an event before the next one is
  /// delivered.
  @Test func eventsComeInOrder() {
    let told = Told()
    let inbox = CrossThreadEvents(early: { told.early.append("\($0)") })
    let log = RunLog(inbox, [Recorder(name: "a", told: told), Recorder(name: "b", told: told)])
    inbox.put(.splitRefused(reason: "1"))
    inbox.put(.splitRefused(reason: "2"))
    #expect(told.events.isEmpty)
    #expect(told.early.count == 2)
    log.tell(.splitRefused(reason: "3"))
    #expect(told.events == ["a 1", "b 1", "a 2", "b 2", "a 3", "b 3"])
    log.deliver()
    #expect(told.events.count == 6)
  }

  /// A reader's own event is delivered at once.
  @Test func readersMayTell() {
    let told = Told()
    let log = RunLog(CrossThreadEvents(), [Echo(), Recorder(name: "a", told: told)])
    log.tell(.sessionEnded)
    #expect(told.events == ["a echo", "a end"])
  }

  private func memberNames(_ value: JSONValue) -> [String] {
    guard case .object(let members) = value else { return [] }
    return members.map(\.name)
  }

  private func sink(
    at place: SinkPlace, sampleRate: Int, channelCount: Int
  ) throws -> SessionSummary.Sink {
    let format = try StreamFormat(sampleRate: sampleRate, channelCount: channelCount)
    return SessionSummary.Sink(place: place, streamFormat: format, format: format)
  }
}

/// The events delivered to readers.
private final class Told: @unchecked Sendable {
  var events: [String] = []
  var early: [String] = []
}

private struct Recorder: RunReader {
  let name: String
  let told: Told

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .splitRefused(let reason): told.events.append("\(name) \(reason ?? "")")
    case .sessionEnded: told.events.append("\(name) end")
    default: break
    }
  }
}

private struct Echo: RunReader {
  func take(_ event: RunEvent, in log: RunLog) {
    if case .sessionEnded = event { log.tell(.splitRefused(reason: "echo")) }
  }
}

extension DescribedEvent {
  fileprivate static var memberNames: [String] { members.map(\.name) }

  fileprivate static var requiredNames: Set<String> {
    Set(members.filter { !$0.isOptional }.map(\.name))
  }
}

/// The examples and the tables of `docs/events.md`.
private struct EventDocument {
  struct Section {
    var examples: [String] = []
    /// The names in the first column of its table.
    var members: Set<String> = []
  }

  /// By the names of the events.
  var sections: [String: Section] = [:]
  /// The tables of the objects within the summary, by the name of the object.
  var parts: [String: Set<String>] = [:]

  init() throws {
    let text = try Package.text("docs/events.md")
    var event: String?
    var table: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#") { event = nil }
      if line.hasPrefix(#"{"schema":1,"event":""#) {
        let name = String(line.split(separator: "\"")[5])
        event = name
        sections[name, default: Section()].examples.append(String(line))
      }
      guard line.hasPrefix("|") else {
        table = nil
        continue
      }
      let head = line.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)
      guard table != nil else {
        table = head
        continue
      }
      let names = head.split(separator: "`").enumerated()
        .filter { $0.offset % 2 == 0 && head.hasPrefix("`") }.map { String($0.element) }
      if table == "member", let event {
        sections[event]?.members.formUnion(names)
      } else if let of = table?.split(separator: " ").last, table != "member" {
        parts[String(of), default: []].formUnion(names)
      }
    }
  }
}
