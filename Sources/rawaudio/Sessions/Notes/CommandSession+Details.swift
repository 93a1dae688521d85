// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The details that `-v` prints about formats, clocks and results.
extension CommandSession {
  func describe(_ summary: SessionSummary) {
    for (source, input) in zip(summary.sources, inputs) {
      let description = source.description
      let details =
        input.device?.parameters.map { "\($0)" }
        ?? "\(description.format), \(description.encoding.rawValue)"
      console.detail("\(source.key): '\(input.name)', \(details)")
    }
    if summary.sources.count > 1, let format = summary.mixFormat {
      console.detail("sum: \(format)")
    }
    for sink in summary.sinks {
      guard let output = outputs[sink.place] else { continue }
      let format = output.fileFormat.map { "\(sink.format), \($0)" } ?? "\(sink.format)"
      let only = summary.sources.count == 1 ? summary.sources.first?.description : nil
      let details =
        output.device?.parameters.map { device in
          device.format == only?.format && device.layout.encoding == only?.encoding
            ? "rate and format unchanged, period \(device.periodSize), buffer \(device.bufferSize)"
            : "\(device)"
        } ?? format
      let converted =
        sink.format == sink.streamFormat ? "" : ", converted from \(sink.streamFormat)"
      let pieces = output.account.samplesPerPiece.map { count in
        ", in writes of \(count) samples: \(CallLength(of: count, at: sink.format))"
      }
      console.detail(
        "\(sink.place.description): '\(output.name)', \(details)\(converted)\(pieces ?? "")")
    }
    summary.followings.forEach(describe)
    console.detail("precision: \(summary.precision == .single ? "32" : "64")-bit float")
  }

  func describe(_ report: SessionReport) {
    for sink in report.sinks {
      // A device's rate is told at the beginning.
      let rate = outputs[sink.place]?.device == nil ? " at \(sink.format.sampleRate) Hz" : ""
      console.detail(
        "\(sink.place.description): \(sink.samplesPerChannel) samples per channel\(rate)")
    }
    report.followings.forEach(describe)
    for source in report.sources where source.missingSamplesPerChannel > 0 {
      console.detail(
        "\(source.key): had nothing in time for \(source.missingSamplesPerChannel) samples per channel of"
          + " a sum, where silence stands for them")
    }
    for output in orderedOutputs {
      if let summary = output.triggerSummary { console.detail("'\(output.name)': \(summary)") }
    }
    for input in inputs { input.headerDetails.forEach(console.detail) }
    for device in liveSources {
      guard let drift = device.clockDrift else { continue }
      console.detail("device '\(device.device)': clock \(drift.line)")
    }
    observers.descriptions.forEach(console.detail)
  }

  /// Prints the target latency and its parts.
  private func describe(_ following: SessionSummary.Following) {
    let latency = following.latency
    var parts = ["playback buffer \(milliseconds(latency.playbackBuffer))"]
    parts.append("reserve \(milliseconds(latency.reserve))")
    parts.append("capture period \(milliseconds(latency.capturePeriod))")
    if latency.observers > .zero { parts.append("observers \(milliseconds(latency.observers))") }
    parts.append("resampler \(milliseconds(latency.resampler))")
    console.detail(
      "\(following.place.description): its clock is followed, \(milliseconds(latency.total)) behind"
        + " '\(following.source)' (\(parts.joined(separator: ", ")))")
  }

  /// Prints the measured latency and the difference of the clocks.
  private func describe(_ following: SessionReport.Following) {
    guard let delay = following.delay, let range = following.delayRange else { return }
    let millionths = (following.correction * 1e6).decimal(1)
    console.detail(
      "\(following.place.description): \(milliseconds(delay)) behind '\(following.source)', between"
        + " \(milliseconds(range.lowerBound)) and \(milliseconds(range.upperBound)); ratio"
        + " \(millionths) ppm off")
  }

  private func milliseconds(_ duration: Duration) -> String {
    (duration / .milliseconds(1)).decimal(1) + " ms"
  }
}
