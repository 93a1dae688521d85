// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioDevices

/// The kernel's information about sound cards, from a made-up `/proc` and `/dev`.
@Suite struct KernelSoundTests {
  private let root: String
  private var kernel: KernelSound

  /// Makes two cards: a process with two threads plays on the first, another process captures from it.
  init() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("rawaudio-kernel-\(UUID().uuidString)")
    root = directory.path
    kernel = KernelSound(root: root)
    try write("PCH\n", to: "proc/asound/card0/id")
    try write("USB\n", to: "proc/asound/card1/id")
    try write("state: RUNNING\nowner_pid   : 4712\n", to: "proc/asound/card0/pcm0p/sub0/status")
    try write("state: RUNNING\nowner_pid   : 4713\n", to: "proc/asound/card0/pcm0p/sub1/status")
    try write("owner_pid   : 99\n", to: "proc/asound/card0/pcm0c/sub0/status")
    try write("owner_pid   : 100\n", to: "proc/asound/card0/pcm3p/sub0/status")
    try write("closed\n", to: "proc/asound/card1/pcm0p/sub0/status")
    for thread in [4_711, 4_712, 4_713] {
      try write("Name:\tplayer\nTgid:\t4711\n", to: "proc/\(thread)/status")
    }
    try write("player\n", to: "proc/4711/comm")
    try write("playback\n", to: "proc/4712/comm")
    try write("Name:\tarecord\nTgid:\t99\n", to: "proc/99/status")
    try write("arecord\n", to: "proc/99/comm")
    for node in ["controlC0", "controlC1", "pcmC0D0p", "pcmC0D0c", "pcmC1D0p"] {
      try write("", to: "dev/snd/\(node)")
    }
  }

  private func write(_ text: String, to path: String) throws {
    let file = URL(fileURLWithPath: root).appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func remove() { try? FileManager.default.removeItem(atPath: root) }

  @Test(arguments: [
    ("hw:CARD=PCH,DEV=0", CardAddress(card: "PCH", device: 0)),
    ("plughw:1,3", CardAddress(card: "1", device: 3)),
    ("hw:PCH", CardAddress(card: "PCH", device: nil)),
    ("sysdefault:CARD=USB", CardAddress(card: "USB", device: nil)),
    ("default", CardAddress(card: nil, device: nil)),
    ("pulse", nil), ("studio:SPEED=1", nil),
  ])
  func namesThatLeadToACard(name: String, address: CardAddress?) {
    #expect(CardAddress(deviceName: name) == address)
    remove()
  }

  /// A process is named once and by its own name, not by the name of the thread that opened the device.
  @Test func whoUsesADevice() {
    defer { remove() }
    let player = DeviceUser(processID: 4_711, name: "player")
    let other = DeviceUser(processID: 100, name: "")
    func users(_ card: String?, _ device: Int?, _ direction: DeviceDirection) -> [DeviceUser] {
      kernel.users(of: CardAddress(card: card, device: device), direction)
    }
    #expect(users("PCH", 0, .playback) == [player])
    #expect(users("0", 0, .playback) == [player])
    #expect(users(nil, nil, .playback) == [player, other])
    #expect(users("PCH", nil, .playback) == [player, other])
    #expect(users("PCH", 0, .capture) == [DeviceUser(processID: 99, name: "arecord")])
    #expect(users("USB", 0, .playback) == [])
    #expect(users("NONE", 0, .playback) == [])
  }

  private func explained(
    _ kernel: KernelSound, _ errno: CInt, _ name: String
  ) -> String {
    // Another test may have left a message on this thread.
    ALSAMessages.forget()
    let failure = AudioError(
      alsaCode: -Int(errno), from: "snd_pcm_open", cannot: "open device", name)
    return kernel.explain(failure, code: -Int(errno), opening: name, .playback).description
  }

  @Test func errorsNameTheUserOfABusyDevice() {
    defer { remove() }
    #expect(
      explained(kernel, EBUSY, "hw:CARD=PCH,DEV=0")
        == "cannot open device 'hw:CARD=PCH,DEV=0': the device is in use (snd_pcm_open); "
        + "close player (process 4711), which uses it")
    #expect(
      explained(kernel, EBUSY, "hw:CARD=USB,DEV=0")
        == "cannot open device 'hw:CARD=USB,DEV=0': the device is in use (snd_pcm_open); "
        + "close the program that uses it")
  }

  /// The group is the nodes' own group, under any name.
  @Test func errorsNameTheGroupOfADevice() throws {
    defer { remove() }
    guard geteuid() == 0 else { return }  // Only root gives files away.
    let audio = try unsafe #require(getgrnam("audio"))
    #expect(unsafe chown("\(root)/dev/snd/pcmC0D0p", geteuid(), audio.pointee.gr_gid) == 0)
    #expect(unsafe chown("\(root)/dev/snd/controlC0", geteuid(), audio.pointee.gr_gid) == 0)
    let entry = try unsafe #require(getpwuid(geteuid()))
    let user = unsafe String(cString: entry.pointee.pw_name)
    let advice = "join it with 'sudo usermod -aG audio \(user)' and log in again"
    #expect(
      explained(kernel, EACCES, "hw:CARD=PCH,DEV=0")
        == "cannot open device 'hw:CARD=PCH,DEV=0': permission denied (snd_pcm_open); "
        + "it belongs to the group 'audio': \(advice)")
    // libasound does not find a card if it cannot open the card's control.
    var foreign = kernel
    foreign.mayOpen = { _ in false }
    #expect(
      explained(foreign, ENOENT, "hw:CARD=PCH,DEV=0")
        == "cannot open device 'hw:CARD=PCH,DEV=0': permission denied: /dev/snd belongs to the group "
        + "'audio'; \(advice)")
    #expect(explained(kernel, ENOENT, "hw:CARD=PCH,DEV=0").contains("no such device"))
    #expect(explained(foreign, ENOENT, "studio").contains("no such device"))
  }

  @Test func whyThereIsNoCard() throws {
    defer { remove() }
    #expect(kernel.obstacle() == nil)
    var foreign = kernel
    foreign.mayOpen = { _ in false }
    guard case .forbidden = foreign.obstacle() else {
      Issue.record("\(String(describing: foreign.obstacle()))")
      return
    }
    foreign.mayOpen = { $0.hasSuffix("controlC1") }
    #expect(foreign.obstacle() == nil)
    try FileManager.default.removeItem(atPath: "\(root)/dev/snd/controlC0")
    try FileManager.default.removeItem(atPath: "\(root)/dev/snd/controlC1")
    #expect(kernel.obstacle() == .noCard)
    try FileManager.default.removeItem(atPath: "\(root)/dev/snd")
    #expect(kernel.obstacle() == .noSystem)
    #expect(
      explained(kernel, ENOENT, "default")
        == "cannot open device 'default': this machine has no sound card: there is no /dev/snd; "
        + "plug one in or load its driver; a container needs --device /dev/snd")
  }
}
