// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AudioNetwork
@testable import AudioStreams

@Suite struct SocketTests {
  /// In a process of its own, without descriptors of other tests. A thread opens and closes files meanwhile: a
  /// descriptor that is closed twice would be one of its files.
  @Test func failuresCloseTheirDescriptorsOnce() async {
    await #expect(processExitsWith: .success) {
      let (mute, refused) = try Loopback.listener(backlog: nil)
      let socket = try DatagramSocket(at: Loopback.address(), name: "first")
      var used = try Loopback.address()
      used.port = socket.port
      func failOnce() {
        if (try? DatagramSocket(at: used, name: "second")) != nil { exit(2) }
        let limit = MonotonicTime.now.later(by: .seconds(60))
        let connection = try? StreamSocket(
          to: [refused], until: limit, name: "third"
        ) { false }
        if connection != nil { exit(3) }
      }
      failOnce()
      let before = try descriptorCount()
      let hasEnded = Atomic(false)
      let others = OtherThread.run {
        while !hasEnded.load(ordering: .relaxed) {
          let file = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
          if file < 0 || close(file) != 0 { exit(4) }
        }
      }
      // Of as many, a descriptor closed twice in a row met 6 to 10 files of the other thread.
      for _ in 0..<20_000 { failOnce() }
      hasEnded.store(true, ordering: .relaxed)
      others.wait()
      let after = try descriptorCount()
      withExtendedLifetime((mute, socket)) {}
      exit(after == before ? 0 : 5)
    }
  }

  @Test func aDeadAddressLeavesTimeForTheNext() throws {
    let (dead, address) = try Loopback.listener(backlog: 0)
    // Its queue is full: further requests for a connection are dropped.
    let limit = MonotonicTime.now.later(by: .seconds(60))
    let held = try StreamSocket(to: [address], until: limit, name: "held") { false }
    let (listener, second) = try Loopback.listener()
    let socket = try StreamSocket(
      to: [address, second], until: MonotonicTime.now.later(by: .seconds(2)), name: "test"
    ) { false }
    #expect(socket.peer == second)
    withExtendedLifetime((dead, listener, held)) {}
  }

  @Test func pairsOfPorts() throws {
    var pairs: [(media: DatagramSocket, control: DatagramSocket)] = []
    for _ in 0..<50 {
      let pair = try DatagramSocket.pair(at: Loopback.address(), name: "test")
      #expect(pair.media.port % 2 == 0 && pair.control.port == pair.media.port + 1)
      pairs.append(pair)
    }
  }

  /// Every datagram that is sent is received, or counted as dropped.
  @Test func arrivalsAndDrops() throws {
    let receiver = try DatagramSocket(at: Loopback.address(), name: "receiver")
    let sender = try DatagramSocket(at: Loopback.address(), name: "sender")
    var target = try Loopback.address()
    target.port = receiver.port
    var room = [UInt8](repeating: 0, count: 65_536)
    let begin = WallTime.now
    #expect(sender.send([1, 2, 3], to: target))
    let first = try #require(receiver.receive(into: &room))
    let time = try #require(first.time)
    #expect(first.count == 3 && first.sender?.port == sender.port && first.dropped == nil)
    #expect((begin...WallTime.now).contains(time))
    var size: Int32 = 4_096
    unsafe setsockopt(receiver.descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
    let datagram = [UInt8](repeating: 0, count: 1_000)
    for _ in 0..<100 { #expect(sender.send(datagram, to: target)) }
    var received = 0
    while receiver.receive(into: &room) != nil { received += 1 }
    #expect((1..<100).contains(received))
    #expect(sender.send(datagram, to: target))
    #expect(receiver.receive(into: &room)?.dropped == UInt32(100 - received))
    #expect(receiver.receive(into: &room) == nil)
  }

  /// RFC 4570: one sender, all but one, and any.
  @Test(arguments: [
    (["127.0.0.1"], false, [1]), (["127.0.0.1", "127.0.0.3"], false, [1, 3]),
    (["127.0.0.2"], true, [1, 3]), ([], true, [1, 2, 3]),
  ])
  func sendersToAGroup(hosts: [String], isExclusive: Bool, heard: [UInt8]) throws {
    let filter = SenderFilter(
      isExclusive: isExclusive, hosts: try hosts.map { try Loopback.address($0) })
    let number = try NetworkInterface.number(of: "lo", for: "test")
    let group = try Loopback.address("239.255.77.1")
    let receiver = try DatagramSocket(at: group, from: filter, interface: number, name: "test")
    var target = group
    target.port = receiver.port
    for host: UInt8 in 1...3 {
      #expect(try Loopback.send([host], from: "127.0.0.\(host)", to: target))
    }
    var room = [UInt8](repeating: 0, count: 16)
    var found: [UInt8] = []
    while let arrival = receiver.receive(into: &room) {
      #expect(filter.allows(try #require(arrival.sender)))
      found.append(room[0])
    }
    #expect(found == heard)
  }

  @Test func anUnknownInterface() throws {
    let request = try NetworkRequest(rtp: "//239.1.2.3%no-such0:5004?l16/8000")
    let error = try #require(throws: AudioError.self) {
      try request.open(NetworkOptions(), name: "rtp:x") { false }
    }
    #expect(
      error.description
        == "cannot receive 'rtp:x': this machine has no interface 'no-such0'; 'ip link' lists those it has"
    )
  }

  /// A name server that never answers.
  @Test(arguments: [true, false]) func aLookupIsAbandoned(isAskedToEnd: Bool) throws {
    let end = Wakeup()
    var lookup = HostLookup(atMost: isAskedToEnd ? .seconds(3_600) : .milliseconds(20)) {
      isAskedToEnd
    }
    lookup.ask = { _ in
      end.wait(atMost: .seconds(3_600))
      return .success([])
    }
    let error = try #require(throws: AudioError.self) {
      try lookup.addresses(of: "host.invalid", port: 1)
    }
    end.signal()
    #expect(error.kind == (isAskedToEnd ? .interrupted : .unavailable))
    #expect(try lookup.addresses(of: "127.0.0.1", port: 7).map(\.description) == ["127.0.0.1:7"])
  }

  @Test func instantsOfArrivals() {
    var clock = ArrivalClock()
    var now = MonotonicTime(nanoseconds: 5_000_000_000)
    clock.beginTurn(at: now, timeOfDay: 1_000_000_000_000)
    #expect(clock.instant(of: 999_999_000_000)?.nanoseconds == 4_999_000_000)
    // Never later than the turn.
    #expect(clock.instant(of: 1_000_000_000_001) == now)
    // A slewed clock is followed: 400 ppm for a minute.
    now.nanoseconds += 60_000_000_000
    clock.beginTurn(at: now, timeOfDay: 1_060_024_000_000)
    #expect(clock.instant(of: 1_060_023_000_000)?.nanoseconds == now.nanoseconds - 1_000_000)
    // The time of day is set: packets may wait that have its old time.
    now.nanoseconds += 20_000_000
    clock.beginTurn(at: now, timeOfDay: 2_000_000_000_000)
    #expect(clock.instant(of: 2_000_000_000_000) == nil)
    now.nanoseconds += 10_000_000_000
    clock.beginTurn(at: now, timeOfDay: 2_010_000_000_000)
    #expect(clock.instant(of: 2_010_000_000_000) == now)
  }
}

private func descriptorCount() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
