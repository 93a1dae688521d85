// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// The text format of Prometheus, version 0.0.4.
@Suite struct MetricsTextTests {
  @Test func aMetric() {
    var metrics = MetricsText()
    metrics.append(
      "peak_dbfs", .gauge, "Largest sample.",
      [
        .init(labels: [("output", "a \"b\"\\c\n.wav"), ("n", "ü")], value: -3.25),
        .init(labels: [("output", "x")], value: -.infinity),
      ])
    metrics.append("parts_total", .counter, "Files.", [.init(value: 12)])
    metrics.append("nothing", .gauge, "Without values.", [])
    #expect(
      metrics.text == """
        # HELP rawaudio_peak_dbfs Largest sample.
        # TYPE rawaudio_peak_dbfs gauge
        rawaudio_peak_dbfs{output="a \\"b\\"\\\\c\\n.wav",n="ü"} -3.25
        rawaudio_peak_dbfs{output="x"} -Inf
        # HELP rawaudio_parts_total Files.
        # TYPE rawaudio_parts_total counter
        rawaudio_parts_total 12

        """)
  }

  @Test(arguments: [
    (0, "0"), (-0.5, "-0.5"), (1e15, "1000000000000000"), (.nan, "NaN"), (.infinity, "+Inf"),
    (0x1p60, "1.152921504606847e+18"),
  ])
  func numbers(_ value: Double, _ text: String) {
    var metrics = MetricsText()
    metrics.append("x", .gauge, "X.", [.init(value: value)])
    #expect(metrics.text.hasSuffix("\nrawaudio_x \(text)\n"))
  }
}
