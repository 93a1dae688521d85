// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestProcess
import Testing

/// A recording as a service of systemd: its messages to the manager (sd_notify(3)).
@Suite(.needsVirtualCard) struct ServiceTests {
  /// The socket of a manager.
  @safe
  private final class Manager {
    let descriptor: Int32
    private(set) var messages: [String] = []

    /// - Parameter name: the bound address of the socket: a path, or after a zero byte an abstract name.
    init(_ name: [UInt8]) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
      let length = socklen_t(2 + name.count)
      let (bound, descriptor) = unsafe withUnsafePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe (bind(self.descriptor, $0, length), self.descriptor)
        }
      }
      try #require(bound == 0)
      var patience = timeval(tv_sec: 0, tv_usec: 50_000)
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Receives all waiting messages.
    func receive() {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        if count < 0 { return }
        messages.append(String(decoding: bytes.prefix(count), as: UTF8.self))
      }
    }

    /// Waits at most half a minute for a message that contains `text`.
    func await(_ text: String, behind index: Int = 0) -> Bool {
      for _ in 0..<600 {
        receive()
        if messages.dropFirst(index).contains(where: { $0.contains(text) }) { return true }
      }
      return false
    }
  }

  private func start(
    _ directory: TemporaryDirectory, socket: String, _ settings: [String: String],
    _ arguments: String...
  ) throws -> RunningProcess {
    var environment = ["ALSA_CONFIG_PATH": VirtualCard.configuration.path, "NOTIFY_SOCKET": socket]
    for (name, value) in settings { environment[name] = value }
    return try directory.start(
      ["capture", "-D", "card", "-r", "44100"] + arguments, environment: environment)
  }

  /// Between two times of `--record` the device is closed, and the service is ready and alive.
  @Test func aPauseIsTold() throws {
    let directory = TemporaryDirectory()
    let path = directory.file("notify").path
    let manager = try Manager(Array(path.utf8) + [0])
    // Half a day from now.
    let hour = (time(nil) / 3_600 + 12) % 24
    let text = hour < 10 ? "0\(hour)" : "\(hour)"
    let process = try start(
      directory, socket: path, ["WATCHDOG_USEC": "200000"], "-o", "p%02d.wav", "--utc", "--record",
      "\(text):00-\(text):30")
    #expect(manager.await("STATUS=pausing until "))
    #expect(manager.await("WATCHDOG=1", behind: manager.messages.count))
    let run = process.wait(sending: SIGINT)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(manager.messages.first == "READY=1")
    #expect(!directory.names.contains { $0.hasSuffix(".wav") })
  }

  @Test(arguments: [false, true])
  func aRecordingTellsHowItIs(_ isAbstract: Bool) throws {
    let directory = TemporaryDirectory()
    let path = directory.file("notify").path
    let name = isAbstract ? "@rawaudio-test-\(UUID().uuidString)" : path
    let bytes = Array(name.utf8)
    let manager = try Manager(isAbstract ? [0] + bytes.dropFirst() : bytes + [0])
    let process = try start(
      directory, socket: name, ["WATCHDOG_USEC": "200000"], "-o", "take.wav", "--on-part",
      #"echo "[$NOTIFY_SOCKET$WATCHDOG_USEC$WATCHDOG_PID]" > seen"#)
    #expect(manager.await("STATUS=recording for 0.0 h, 0 gaps, disk for "))
    #expect(manager.await("WATCHDOG=1"))
    process.wait(sending: SIGINT).expectExit(0)
    manager.receive()
    #expect(manager.messages.first == "READY=1")
    #expect(manager.messages.last == "STOPPING=1\nSTATUS=ending")
    #expect(manager.messages.filter { $0 == "READY=1" }.count == 1)
    // Child processes do not notify the manager.
    #expect(String(decoding: try directory.bytes("seen"), as: UTF8.self) == "[]\n")
  }

  /// The card stalls at the end of its input.
  @Test func aDeviceThatStandsStillGivesNoSignOfLife() throws {
    let directory = TemporaryDirectory()
    try directory.write(DeviceBytes.noise(4 * 22_050), "fed.raw")
    let path = directory.file("notify").path
    let manager = try Manager(Array(path.utf8) + [0])
    let process = try start(
      directory, socket: path,
      [
        "WATCHDOG_USEC": "200000", "VIRTUAL_CARD_INFILE": "fed.raw",
        "VIRTUAL_CARD_AT_EOF": "stall", "VIRTUAL_CARD_LOG": "card.log",
      ], "-o", "take.wav")
    #expect(manager.await("WATCHDOG=1"))
    func isDone() -> Bool {
      let log = (try? directory.bytes("card.log")) ?? []
      return String(decoding: log, as: UTF8.self).contains("infile ends")
        && (try? directory.bytes("take.wav").count) ?? 0 >= 4 * 22_050
    }
    while !isDone() { manager.receive() }
    // After the messages in flight there are none, for five times the watchdog interval.
    for _ in 0..<10 { manager.receive() }
    let count = manager.messages.count
    for _ in 0..<20 { manager.receive() }
    #expect(!manager.messages.dropFirst(count).contains("WATCHDOG=1"))
    #expect(process.wait(sending: SIGINT).ending == .exit(0))
  }

  @Test func whoWaitsForADeviceIsAlive() throws {
    let directory = TemporaryDirectory()
    try directory.write([], "plugged")
    let path = directory.file("notify").path
    let manager = try Manager(Array(path.utf8) + [0])
    let process = try start(
      directory, socket: path,
      ["WATCHDOG_USEC": "200000", "VIRTUAL_CARD_PRESENT": "plugged"], "--reopen", "-o",
      "take-%02d.wav")
    #expect(manager.await("READY=1"))
    try FileManager.default.removeItem(at: directory.file("plugged"))
    #expect(manager.await("waiting for 'card'"))
    // Longer than the interval of the watchdog, again and again.
    var count = manager.messages.count
    for _ in 0..<5 {
      #expect(manager.await("WATCHDOG=1", behind: count))
      count = manager.messages.count
    }
    try directory.write([], "plugged")
    #expect(manager.await("1 gap, disk for ", behind: count))
    #expect(process.wait(sending: SIGINT).ending == .exit(0))
  }

  /// The service restarts until the device is there: no watchdog has begun by then.
  @Test func aDeviceThatIsMissingAtTheStart() throws {
    let directory = TemporaryDirectory()
    let path = directory.file("notify").path
    let manager = try Manager(Array(path.utf8) + [0])
    let process = try start(
      directory, socket: path,
      ["WATCHDOG_USEC": "200000", "VIRTUAL_CARD_PRESENT": "plugged"], "--reopen", "-o",
      "take-%02d.wav")
    #expect(process.wait().ending == .exit(1))
    manager.receive()
    #expect(!manager.messages.contains("READY=1"))
    #expect(!directory.names.contains { $0.hasPrefix("take") })
  }

  /// The gap is in the journal at once, without -v.
  @Test func gapsAreInTheJournal() throws {
    let directory = TemporaryDirectory()
    let path = directory.file("notify").path
    let manager = try Manager(Array(path.utf8) + [0])
    let process = try start(
      directory, socket: path,
      ["VIRTUAL_CARD_SPEED": "1", "VIRTUAL_CARD_EVENTS": "4410:xrun +4410:xrun +4410:xrun"], "-d",
      "1", "-o", "take.wav")
    let run = process.wait()
    #expect(run.ending == .exit(0))
    manager.receive()
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.first?.hasPrefix("rawaudio: device 'card': overrun at 0:00:00.") == true)
    #expect(lines.contains { $0.contains(" more gap") && $0.contains(" since the last line, ") })
  }

  /// Runs the line of a unit as systemd expands it (systemd.unit(5), "Specifiers"; systemd.service(5), "Command lines").
  @Test(arguments: ["rawaudio-record.service", "rawaudio-record@.service"])
  func theUnitRunsAsItIsPrinted(name: String) throws {
    let unit = try Package.text("Examples/\(name)").split(separator: "\n")
    func setting(_ key: String) throws -> Substring {
      try #require(unit.last { $0.hasPrefix(key + "=") }).dropFirst(key.count + 1)
    }
    func expanded(_ text: Substring) -> String {
      let values: [Character: String] = ["S": "state", "t": "run", "i": "Mic", "%": "%"]
      var result = ""
      var rest = text
      while let character = rest.popFirst() {
        result += character == "%" ? rest.popFirst().flatMap { values[$0] } ?? "?" : "\(character)"
      }
      return result
    }
    let line = expanded(try setting("ExecStart"))
    #expect(!line.contains("?") && line.hasPrefix("/usr/local/bin/rawaudio "))
    let (state, run) = (
      "state/" + expanded(try setting("StateDirectory")),
      "run/" + expanded(try setting("RuntimeDirectory"))
    )
    let directory = TemporaryDirectory()
    let path = directory.file("notify").path
    let manager = try Manager(Array(path.utf8) + [0])
    let ended = try directory.pipeline(
      """
      umask \(try setting("UMask")); mkdir -p \(state); mkdir -p -m \(try setting("RuntimeDirectoryMode")) \(run)
      \(line.dropFirst("/usr/local/bin/".count))
      """,
      environment: [
        "ALSA_CONFIG_PATH": VirtualCard.configuration.path, "NOTIFY_SOCKET": path, "DEVICE": "card",
        "OPTIONS": "-r 44100 -d 2 --split day",
        "WATCHDOG_USEC": "\((Int(try setting("WatchdogSec")) ?? 0) * 1_000_000)",
      ])
    #expect(ended.ending == .exit(0), "\(ended.standardError)")
    manager.receive()
    #expect(manager.messages.contains("READY=1") && manager.messages.contains("WATCHDOG=1"))
    #expect(manager.messages.last == "STOPPING=1\nSTATUS=ending")
    let listing = try directory.pipeline("stat -c '%a %n' \(run) \(run)/* \(state)/*").outputText
    #expect(listing.contains("755 \(run)\n644 \(run)/rawaudio.prom\n"))
    // One part, or two around midnight.
    let parts = listing.matches(of: /\d{8}T\d{6}Z\.flac/).count
    #expect((1...2).contains(parts))
    #expect(listing.contains("log-"))
  }

  @Test func theSignsOfLifeOfAnotherProcessAreNotOurs() throws {
    let directory = TemporaryDirectory()
    let path = directory.file("notify").path
    let manager = try Manager(Array(path.utf8) + [0])
    let process = try start(
      directory, socket: path, ["WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1"], "-d", "1", "-o",
      "take.wav")
    #expect(process.wait().ending == .exit(0))
    manager.receive()
    #expect(manager.messages.contains("READY=1"))
    #expect(!manager.messages.contains("WATCHDOG=1"))
  }

  /// A manager that is gone or reads nothing delays nothing.
  @Test func nobodyIsWaitedFor() throws {
    let directory = TemporaryDirectory()
    for name in ["/nonexistent/socket", "nonsense", "@", String(repeating: "/a", count: 200)] {
      let process = try start(
        directory, socket: name, ["WATCHDOG_USEC": "1000"], "-d", "0.2", "--force", "-o", "take.wav"
      )
      process.wait().expectExit(0)
    }
  }
}
