// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Synchronization
import Testing

@testable import AudioNetwork
@testable import AudioStreams

@Suite struct NetworkSourceTests {
  /// A source behind a scripted network, and all that it tells.
  private final class Received {
    let source: NetworkSource
    let transport: ScriptedTransport
    let wakeup = Wakeup()
    private(set) var samples: [Float] = []
    private(set) var gaps: [DeviceGap] = []
    private(set) var notices: [String] = []
    private(set) var absences = ""

    init(_ options: NetworkOptions = NetworkOptions(), refusing: [String] = []) throws {
      var options = options
      options.pause = .milliseconds(1)
      if options.jitter == nil { options.jitter = .milliseconds(1) }
      let transport = try ScriptedTransport(refusing: refusing)
      let payload = try Sender.payload
      self.transport = transport
      source = NetworkSource(device: "rtp:test", options: options) { _ in
        OpenedStream(payload: payload, transport: transport)
      }
      source.onGap = { [unowned self] in gaps.append($0) }
      source.onNotice = { [unowned self] in notices.append($0.text) }
      source.onAbsence = { [unowned self] in
        switch $0 {
        case .began: absences += "away "
        case .lasts, .paused, .resumed: break
        case .unusable: absences += "unusable "
        case .ended(_, let isBack): absences += isBack ? "back " : "ended "
        }
      }
      let description = try source.initialize(proposing: nil, wakeup: wakeup)
      #expect(description.format == payload.format && description.encoding == .s16)
      try source.start()
    }

    /// Reads until there are as many samples, or the source ends.
    func read(until count: Int) throws(AudioError) {
      var block = [Float](repeating: 0, count: 4_096)
      while samples.count < count {
        var given = 0
        let status = try unsafe block.withUnsafeMutableBufferPointer { buffer throws(AudioError) in
          var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
          let status = try source.read(into: &output)
          given = unsafe output.finalize(for: buffer)
          return status
        }
        samples += block.prefix(given)
        if status == .ended { return }
        if given == 0 { wakeup.wait(atMost: .milliseconds(20)) }
      }
    }

    /// The places of samples that were sent; nil for silence.
    var places: [Int?] {
      samples.map { sample in
        let value = Int(sample * 32_768)
        return value == 0 ? nil : (value + 65_536) % 65_536 - 1
      }
    }
  }

  @Test func lostPacketsAreSilenceInTheirPlace() throws {
    let received = try Received()
    var packets = Sender(sequence: 65_530, timestamp: 4_294_960_000).packets(40)
    packets.removeSubrange(20..<23)
    packets.remove(at: 5)
    packets.swapAt(8, 9)
    packets.insert(packets[3], at: 4)
    received.transport.add(.packets(packets))
    try received.read(until: 38_400)
    let expected = (0..<38_400).map {
      (4_800..<5_760).contains($0) || (19_200..<22_080).contains($0) ? nil : $0
    }
    #expect(received.places == expected)
    #expect(
      received.gaps == [
        DeviceGap(cause: .network, position: 4_800, lostSamplesPerChannel: 960),
        DeviceGap(cause: .network, position: 19_200, lostSamplesPerChannel: 2_880),
      ])
    received.source.stop()
    #expect(
      received.source.statistics.xruns == 2 && received.source.gaps.lostSamplesPerChannel == 3_840)
    #expect(
      received.notices == [
        "took 36 packets: 4 missing, 1 out of order, 1 twice, 0 ignored"
      ])
  }

  @Test func silenceThatWasMeantIsNoGap() throws {
    let received = try Received()
    let packets = Sender().packets(4)
    // The numbers go on, and the timestamps leap: a sender that sends no silence.
    let later = Sender(sequence: 4, timestamp: 24_000, time: 1.5).packets(4)
    received.transport.add(.packets(packets + later))
    try received.read(until: 24_000 + 3_840)
    #expect(received.gaps == [] && received.source.gaps.count == 0)
    #expect(received.places[3_839] == 3_839 && received.places[3_840] == nil)
    #expect(received.places[23_999] == nil && received.places[24_000] == 0)
    received.source.stop()
  }

  @Test func aRingThatIsFullLosesTheNewestSamples() throws {
    var options = NetworkOptions()
    options.ring = .samplesPerChannel(1_920)
    let received = try Received(options)
    received.transport.add(.packets(Sender().packets(10)))
    while received.source.statistics.overflowedSamplesPerChannel < 7_680 {
      received.wakeup.wait(atMost: .milliseconds(20))
    }
    // The last packet comes when there is room again.
    try received.read(until: 1_920)
    received.transport.add(.packets(Sender(sequence: 10, timestamp: 9_600, time: 1.2).packets(1)))
    try received.read(until: 10_560)
    #expect(
      received.gaps == [
        DeviceGap(cause: .ringOverflow, position: 1_920, lostSamplesPerChannel: 7_680)
      ])
    #expect(received.places[1_919] == 1_919 && received.places[1_920] == nil)
    #expect(received.places[9_600] == 0)
    #expect(received.source.statistics.overflows == 1)
    #expect(received.source.statistics.overflowedSamplesPerChannel == 7_680)
    received.source.stop()
  }

  @Test func aSilentSenderIsALostDevice() throws {
    var options = NetworkOptions()
    options.timeout = .milliseconds(50)
    let received = try Received(options)
    received.transport.add(.packets(Sender().packets(3)))
    let error = try #require(throws: AudioError.self) { try received.read(until: .max) }
    #expect(error.kind == .deviceLost && received.samples.count == 2_880)
    #expect(error.reason == "no packet has come for 50 ms, after 2880 samples per channel")
    try received.read(until: .max)
    received.source.dispose()
  }

  @Test func aGapThatIsNotToBeFilledEndsTheStream() throws {
    var options = NetworkOptions()
    options.gapPolicy = .fail
    let received = try Received(options)
    var packets = Sender().packets(10)
    packets.remove(at: 4)
    received.transport.add(.packets(packets))
    let error = try #require(throws: AudioError.self) { try received.read(until: 9_600) }
    #expect(error.kind == .inputOutput && received.samples.count == 3_840)
    #expect(
      error.reason
        == "packets did not come, after 3840 samples per channel; 960 samples per channel were lost"
    )
    received.source.stop()
  }

  @Test func aSenderSaysGoodbye() throws {
    let received = try Received()
    received.transport.add(
      .packets(Sender().packets(3)),
      // RFC 3550, section 6.6: BYE with one source.
      .control([0x81, 203, 0, 1] + UInt32(0xBEEF).networkBytes),
      .control([0x81, 203, 0, 1] + UInt32(0xCAFE).networkBytes))
    let error = try #require(throws: AudioError.self) { try received.read(until: .max) }
    #expect(error.reason == "the sender has ended the stream, after 2880 samples per channel")
    received.source.stop()
  }

  @Test func aSenderThatComesBackGoesOnInItsPlace() throws {
    var options = NetworkOptions()
    options.lossPolicy = .reopen
    let received = try Received(options, refusing: ["refused", "refused"])
    received.transport.add(
      .packets(Sender().packets(3)), .failure("the connection was closed"))
    try received.read(until: 2_880)
    // Waits for the loss.
    while received.absences.isEmpty { try received.read(until: received.samples.count + 1) }
    #expect(received.absences == "away ")
    let silence = received.samples.count - 2_880
    // 30 s later by the sender's clock.
    received.transport.add(
      .packets(Sender(sequence: 1_503, timestamp: 1_442_880, time: 31.06).packets(3)))
    try received.read(until: 1_445_760)
    #expect(received.absences == "away back " && received.transport.attempts == 3)
    #expect(silence < 1_440_000)
    #expect(
      received.gaps == [
        DeviceGap(cause: .deviceLost, position: 2_880, lostSamplesPerChannel: 1_440_000)
      ])
    #expect(received.places[2_879] == 2_879 && received.places[2_880] == nil)
    #expect(received.places[1_442_879] == nil && received.places[1_442_880] == 0)
    #expect(received.source.statistics.losses == 1)
    received.source.stop()
  }

  @Test func silenceBeforeTheFirstPacketIsAnEstimate() throws {
    var options = NetworkOptions()
    options.lossPolicy = .reopen
    let received = try Received(options)
    received.transport.add(.failure("cut"))
    while received.samples.isEmpty { try received.read(until: 1) }
    received.transport.add(.packets(Sender().packets(3)))
    while !received.absences.hasSuffix("back ") {
      try received.read(until: received.samples.count + 1)
    }
    let gap = try #require(received.gaps.first)
    let silence = Int(gap.lostSamplesPerChannel ?? 0)
    try received.read(until: silence + 2_880)
    #expect(received.gaps.count == 1 && gap.isEstimated && silence > 0)
    #expect(received.places[silence - 1] == nil && received.places[silence] == 0)
    received.source.stop()
  }

  @Test func anEndDuringAnAbsenceIsTold() throws {
    var options = NetworkOptions()
    options.lossPolicy = .reopen
    options.timeout = .milliseconds(20)
    let received = try Received(options, refusing: Array(repeating: "refused", count: 1_000))
    received.transport.add(.packets(Sender().packets(3)), .failure("cut"))
    while received.absences.isEmpty { try received.read(until: received.samples.count + 1) }
    received.source.stop()
    try received.read(until: .max)
    #expect(received.absences == "away ended " && received.gaps.count == 1)
  }

  /// A server that never answers keeps neither a session that is asked to end, nor its thread.
  @Test func openingIsAbandoned() throws {
    let (wakeup, end, ended) = (Wakeup(), Wakeup(), Wakeup())
    let (payload, transport) = try (Sender.payload, ScriptedTransport())
    let source = NetworkSource(device: "rtp:test", options: NetworkOptions()) { mustEnd in
      #expect(!mustEnd())
      wakeup.request(.finish)
      end.wait(atMost: .seconds(3_600))
      #expect(mustEnd())
      ended.signal()
      return OpenedStream(payload: payload, transport: transport)
    }
    let error = try #require(throws: AudioError.self) {
      try source.initialize(proposing: nil, wakeup: wakeup)
    }
    #expect(error.kind == .interrupted)
    source.dispose()
    end.signal()
    ended.wait(atMost: .seconds(3_600))
  }

  @Test func aBegunOpeningIsUsed() throws {
    let (wakeup, begin) = (Wakeup(), Wakeup())
    let (payload, transport) = try (Sender.payload, ScriptedTransport())
    let count = Atomic(0)
    let source = NetworkSource(device: "rtp:test", options: NetworkOptions()) { _ in
      count.wrappingAdd(1, ordering: .relaxed)
      begin.wait(atMost: .seconds(3_600))
      return OpenedStream(payload: payload, transport: transport)
    }
    source.beginOpening(wakeup)
    #expect(source.isOpening)
    begin.signal()
    while source.isOpening { wakeup.wait(atMost: .seconds(3_600)) }
    #expect(try source.initialize(proposing: nil, wakeup: wakeup).format == payload.format)
    try source.start()
    source.stop()
    source.dispose()
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func datagramsOfTheLoopback() throws {
    let payload = try Sender.payload
    let local = try Loopback.address()
    var formats = PayloadNumbers()
    formats.list(96, nil, payload)
    let transport = try DatagramTransport(
      at: [.init(address: local)], formats: formats, name: "rtp:test")
    var options = NetworkOptions()
    options.jitter = .milliseconds(1)
    let stream = OpenedStream(payload: payload, transport: transport)
    let source = NetworkSource(device: "rtp:test", options: options) { _ in stream }
    let wakeup = Wakeup()
    _ = try source.initialize(proposing: nil, wakeup: wakeup)
    try source.start()
    let first = try DatagramSocket(at: local, name: "sender")
    let second = try DatagramSocket(at: local, name: "stranger")
    var target = local
    target.port = transport.port
    for (index, packet) in Sender().packets(8).enumerated() {
      try send(packet.bytes, first, target)
      if index == 3 {
        // Another sender, a packet of another format, and something that is no packet.
        try send(Sender(source: 7).packets(1)[0].bytes, second, target)
        try send([0x80, 97] + packet.bytes[2...], first, target)
        try send([1, 2, 3], first, target)
      }
      if index == 4 {
        try send(Sender(source: 7, sequence: 1, timestamp: 960).packets(1)[0].bytes, second, target)
      }
    }
    var block = [Float](repeating: 0, count: 7_680)
    var notices: [String] = []
    source.onNotice = { notices.append($0.text) }
    var given = 0
    while given < block.count {
      let before = given
      try unsafe block[before...].withUnsafeMutableBufferPointer { buffer throws(AudioError) in
        var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        _ = try source.read(into: &output)
        given += unsafe output.finalize(for: buffer)
      }
      if given == before { wakeup.wait(atMost: .milliseconds(20)) }
    }
    #expect(block.enumerated().allSatisfy { Int($1 * 32_768) == ($0 % 65_521 + 1) })
    source.stop()
    #expect(notices.first == "is sent to by 127.0.0.1, too, whose packets are ignored")
    #expect(source.gaps.count == 0)
    source.dispose()
  }

  private func send(
    _ bytes: [UInt8], _ socket: DatagramSocket, _ target: SocketAddress
  ) throws {
    let isSent = socket.send(bytes, to: target)
    try #require(isSent)
  }
}
