// SPDX-License-Identifier: Apache-2.0
import AudioPrograms
import Testing

@testable import AudioPlugins

/// The text of control values.
@Suite struct PluginValueTests {
  private func port(_ unit: String?, isToggled: Bool = false) -> PluginPort {
    var port = PluginPort(symbol: "p", name: "P")
    port.unit = unit
    port.isToggled = isToggled
    port.points = [.init(label: "Herm Thin", value: 0), .init(label: "2x", value: 7)]
    return port
  }

  @Test(
    arguments: [
      ("-18dB", "dB", -18), ("-18", "dB", -18), ("-20dB", nil, 0.1), ("20dB", "coef", 10),
      ("-20dB", "G", 0.1), ("2kHz", "Hz", 2_000), ("440Hz", "kHz", 0.44),
      ("5ms", "s", 0.005), ("0.5s", "ms", 500), ("1e-3", nil, 0.001), ("herm thin", "Hz", 0),
      ("2x", nil, 7), ("50%", "%", 50), ("-2", "semi", -2), ("+3", nil, 3),
    ] as [(String, String?, Double)])
  func numbers(_ text: String, _ unit: String?, _ value: Double) throws {
    let number = try #require(PluginValue(text)?.number(for: port(unit)))
    #expect(abs(number - value) < 1e-9)
  }

  @Test(
    arguments: [
      ("", nil), ("loud", nil), ("3dB", "Hz"), ("5ms", "Hz"), ("nan", "dB"), ("1.5.2", nil),
      ("on", nil),
    ] as [(String, String?)])
  func noNumbers(_ text: String, _ unit: String?) {
    #expect(PluginValue(text)?.number(for: port(unit)) == nil)
  }

  @Test func switches() {
    let port = port(nil, isToggled: true)
    for word in ["on", "TRUE", "yes", "1"] { #expect(PluginValue(word)?.number(for: port) == 1) }
    for word in ["off", "false", "No", "0"] { #expect(PluginValue(word)?.number(for: port) == 0) }
  }

  @Test(arguments: [
    ("Room size (m)", "room_size_m"), ("Amount (x)", "amount_x"), ("  ", "control"), ("dB", "db"),
  ])
  func symbolsOfLadspa(_ name: String, _ symbol: String) {
    #expect(LadspaPlugin.symbol(of: name) == symbol)
  }
}
