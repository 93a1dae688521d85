// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioJack

@Suite struct PortRequestTests {
  private static let ports = [
    "system:capture_1", "system:capture_2", "Firefox:output_FL", "Firefox:output_FR",
    "Firefox (2):output_FL", "Firefox (2):output_FR", "Größe: α, β:ゲ_1", "Firefox 2:output_FL",
    "a [b:out_1", "a [b:out_2", "(x:y",
  ].map {
    JackPort(name: $0, direction: .capture, isPhysical: $0.hasPrefix("system"))
  }

  private func connections(_ text: String, _ channelCount: Int) throws -> [String] {
    let request = try #require(PortRequest(text))
    return request.connections(among: Self.ports, channelCount: channelCount)
      .map { "\($0.port)>\($0.channel)" }
  }

  @Test func readsItsForms() {
    #expect(PortRequest("") == .physical)
    #expect(PortRequest("none") == .unconnected)
    #expect(PortRequest("a:b,c:d") == .named(["a:b", "c:d"]))
    #expect(PortRequest(#"a\, b:c"#) == .named(["a, b:c"]))
    #expect(PortRequest(#"a\.b:c"#) == .named([#"a\.b:c"#]))
    #expect(PortRequest("a:b,") == nil)
    #expect(PortRequest("a:(b,c") == .named(["a:(b", "c"]))
  }

  @Test(
    arguments: [
      ("", 2, ["system:capture_1>0", "system:capture_2>1"]),
      ("", 1, ["system:capture_1>0"]),
      ("none", 2, []),
      ("system:capture_2", 1, ["system:capture_2>0"]),
      ("system:capture_2,system:capture_1", 2, ["system:capture_2>0", "system:capture_1>1"]),
      ("Firefox:output_.*", 2, ["Firefox:output_FL>0", "Firefox:output_FR>1"]),
      (
        "Firefox.*", 2,
        [
          "Firefox:output_FL>0", "Firefox:output_FR>1", "Firefox (2):output_FL>0",
          "Firefox (2):output_FR>1", "Firefox 2:output_FL>0",
        ]
      ),
      ("Firefox.*", 1, (Self.ports[2..<6] + [Self.ports[7]]).map { "\($0.name)>0" }),
      (
        ".*FL,.*FR", 2,
        [
          "Firefox:output_FL>0", "Firefox (2):output_FL>0", "Firefox 2:output_FL>0",
          "Firefox:output_FR>1", "Firefox (2):output_FR>1",
        ]
      ),
      ("output", 2, []),
      ("Firefox (2):output_FL", 1, ["Firefox (2):output_FL>0"]),
      ("Firefox (2):output_.*", 2, ["Firefox (2):output_FL>0", "Firefox (2):output_FR>1"]),
      ("Firefox (2):(FL|output_FR)", 1, ["Firefox (2):output_FR>0"]),
      ("Firefox [(]2[)]:output_FL", 1, ["Firefox (2):output_FL>0"]),
      ("a [b:out_2,a [b:out_1", 2, ["a [b:out_2>0", "a [b:out_1>1"]),
      ("a [b:out_.*", 2, ["a [b:out_1>0", "a [b:out_2>1"]),
      ("(x:y", 1, ["(x:y>0"]),
      ("(x|Firefox:output_FL", 1, []),
      (#"Größe: α\, β:ゲ_1"#, 1, ["Größe: α, β:ゲ_1>0"]),
    ] as [(String, Int, [String])])
  func connects(text: String, channelCount: Int, expected: [String]) throws {
    #expect(try connections(text, channelCount) == expected)
  }

  @Test(
    arguments: [
      ("", nil, 2), ("", 1, 2), ("", 6, 2), ("none", nil, 2), ("none", 6, 6),
      ("system:capture_2", 2, 1), ("system:capture_2,system:capture_1", nil, 2),
      ("Firefox.*", nil, 2), ("Firefox.*", 1, 1), ("Opera.*", nil, 2),
      (".*output_FL", nil, 1), ("a.*,b.*,c.*", nil, 3),
    ] as [(String, Int?, Int)])
  func countsChannels(text: String, wished: Int?, expected: Int) throws {
    let request = try #require(PortRequest(text))
    #expect(request.channelCount(among: Self.ports, wished: wished) == expected)
  }

  @Test func namesWhatIsMissing() throws {
    func missing(_ text: String) throws -> String? {
      try #require(PortRequest(text)).missingName(among: Self.ports)
    }
    #expect(try missing("system:capture_1,system:capture_3") == "system:capture_3")
    #expect(try missing("system:capture_.*") == nil)
    #expect(try missing("a [b:out_2,a [b:out_.*") == nil)
    #expect(try missing("a [b:out_3") == "a [b:out_3")
    #expect(try missing("a [c:out_1") == "a [c:out_1")
    #expect(try missing("") == nil)
    #expect(Self.ports.nearest(to: "system:capture_3") == ["system:capture_1", "system:capture_2"])
    #expect(Self.ports.nearest(to: "zzz").isEmpty)
  }
}
