// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices

@Suite struct PipeWireTargetTests {
  @Test func aNodeHasTheNameOfADevice() {
    let sink = PipeWireTarget(node: "alsa_output.pci-0000_00_1f.3.analog-stereo")
    #expect(sink.deviceName == "pipewire:NODE=alsa_output.pci-0000_00_1f.3.analog-stereo")
    let monitor = PipeWireTarget(node: "speakers", isMonitor: true)
    #expect(monitor.deviceName == "pipewire:NODE=speakers.monitor")
    #expect(PipeWireTarget(node: "a, b").deviceName == "pipewire:NODE='a, b'")
    #expect(PipeWireTarget(node: "Ann's").deviceName == "pipewire:NODE=\"Ann's\"")
  }

  @Test(
    arguments: [
      ("pipewire:NODE=speakers.monitor", "pipewire:NODE=speakers"),
      ("pipewire:NODE='a b.monitor'", "pipewire:NODE='a b'"),
      ("pipewire:NODE=a.monitor,ROLE=Music", "pipewire:NODE=a,ROLE=Music"),
      ("pipewire:ROLE=Music,NODE=a.monitor", "pipewire:ROLE=Music,NODE=a"),
      ("plug:\"pipewire:NODE=a.monitor\"", "plug:\"pipewire:NODE=a\""),
      ("pipewire:NODE=speakers", nil), ("pipewire:NODE=.monitor", nil), ("pipewire", nil),
      ("hw:CARD=a.monitor", nil), ("pulse:a.monitor", nil), ("", nil),
    ] as [(String, String?)])
  func aMonitorIsOpenedByItsNode(name: String, opened: String?) {
    #expect(PipeWireTarget.monitored(by: name) == opened)
  }

  @Test(
    arguments: [
      (nil, "{  stream.capture.sink = true }"),
      ("{ node.name = x }", "{ node.name = x  stream.capture.sink = true }"),
      ("node.name=x", "{ node.name=x stream.capture.sink = true }"),
    ] as [(String?, String)])
  func propertiesOfTheUserStay(given: String?, all: String) {
    #expect(PipeWireTarget.monitorProperties(given) == all)
  }
}
