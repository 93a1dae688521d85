// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import AudioDevices
@testable import AudioPrograms

@Suite struct PipeWireListingTests {
  private typealias Object = PipeWireMessage.Object

  /// The answer of a server of version 0.3.65, reduced to nodes.
  private static let answer: [UInt8] = {
    let seeds = Package.folder.appending(path: "Tests/Fuzz/seeds")
    let bytes = try? Data(contentsOf: seeds.appending(path: "pipewire/listing"))
    // The first byte belongs to the fuzzer.
    return Array(bytes ?? Data()).dropFirst().map { $0 }
  }()

  private static func bytes(of words: [UInt32]) -> [UInt8] {
    var bytes: [UInt8] = []
    for word in words {
      for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * place))) }
    }
    return bytes
  }

  @Test(arguments: [1, 7, 16, 1_000, 100_000])
  func aServersNodesAreRead(pieces: Int) {
    var listing = PipeWireListing()
    for start in stride(from: 0, to: Self.answer.count, by: pieces) {
      #expect(!listing.isComplete)
      listing.read(Self.answer[start..<min(start + pieces, Self.answer.count)])
    }
    #expect(
      listing.nodes == [
        PipeWireNode(name: "speakers", description: "speakers", mediaClass: "Audio/Sink"),
        PipeWireNode(
          name: "micro", description: "micro", mediaClass: "Audio/Source/Virtual"),
      ])
  }

  /// The words of the protocol's documentation: header, then a structure with one number.
  @Test func aQuestionIsWrittenAsTheProtocolHasIt() {
    let hello = PipeWireMessage(object: Object.core, operation: 1, body: [.int(3)])
    let words: [UInt32] = [0, 0x0100_0018, 5, 0, 16, 14, 4, 4, 3, 0]
    #expect(hello.bytes(number: 5) == Self.bytes(of: words))
  }

  @Test func aMessageIsReadAsItWasWritten() throws {
    let message = PipeWireMessage(
      object: 7, operation: 9,
      body: [.int(-1), .string("käse"), .structure([.string(""), .int(.max)]), .other(type: 5)])
    var bytes = message.bytes(number: 1)[...] + [1, 2, 3]
    #expect(PipeWireMessage(takenFrom: &bytes) == message)
    #expect(bytes == [1, 2, 3])
    #expect(PipeWireMessage(takenFrom: &bytes) == nil)
  }

  @Test func lengthsThatLieAreNoNodes() {
    var listing = PipeWireListing()
    var words: [UInt32] = [2, 16, 0, 0, .max, 14, 4, 4]
    words += [2, 24, 0, 0, 16, 14, 400, 8, 0, 0]
    listing.read(Self.bytes(of: words))
    #expect(listing.nodes.isEmpty)
    #expect(!listing.isComplete)
  }

  @Test func aRefusalEndsTheListing() {
    var listing = PipeWireListing()
    let error = PipeWireMessage(object: Object.core, operation: 3, body: [.int(0)])
    listing.read(error.bytes(number: 0))
    #expect(listing.isComplete)
  }

  @Test func aNodeIsADeviceForEachUse() {
    let sink = PipeWireNode(name: "out", description: "Speakers", mediaClass: "Audio/Sink")
    #expect(sink.devices.map(\.name) == ["pipewire:NODE=out", "pipewire:NODE=out.monitor"])
    #expect(sink.devices.map(\.description) == ["Speakers", "Monitor of Speakers"])
    #expect(sink.devices.map { $0.capture == nil } == [true, false])
    #expect(sink.devices.map { $0.playback == nil } == [false, true])
    let source = PipeWireNode(name: "in", description: "", mediaClass: "Audio/Source/Virtual")
    #expect(source.devices.map(\.name) == ["pipewire:NODE=in"])
    let duplex = PipeWireNode(name: "both", description: "", mediaClass: "Audio/Duplex")
    #expect(duplex.devices.first?.capture == .notAsked)
    #expect(duplex.devices.first?.playback == .notAsked)
    let stream = PipeWireNode(name: "x", description: "", mediaClass: "Stream/Output/Audio")
    #expect(stream.devices.isEmpty)
  }

  @Test func theServerListensWhereItsProgramsLook() {
    func paths(_ environment: [String: String]) -> [String] {
      PipeWireServer.socketPaths { environment[$0] }
    }
    #expect(paths([:]) == ["/run/pipewire/pipewire-0"])
    #expect(
      paths(["XDG_RUNTIME_DIR": "/run/user/1000"])
        == ["/run/user/1000/pipewire-0", "/run/pipewire/pipewire-0"])
    #expect(
      paths(["XDG_RUNTIME_DIR": "/a", "PIPEWIRE_RUNTIME_DIR": "/b"]).first == "/b/pipewire-0")
    #expect(paths(["PIPEWIRE_REMOTE": "/c/d", "XDG_RUNTIME_DIR": "/a"]) == ["/c/d"])
  }

  @Test func whereNobodyListensThereIsNoServer() {
    #expect(PipeWireServer().nodes(at: "/nowhere/pipewire-0") == nil)
    #expect(PipeWireServer().nodes(at: String(repeating: "x", count: 200)) == nil)
  }

  /// A listening socket accepts connections and questions by itself; it never answers.
  @Test func aServerThatDoesNotAnswerIsNotWaitedForLong() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "pw-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "s").path
    let listener = try ListeningSocket(path: path)
    let server = PipeWireServer(patience: .milliseconds(20))
    #expect(server.nodes(at: path) == [])
    withExtendedLifetime(listener) {}
  }
}
