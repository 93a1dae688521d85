// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore

/// A click through a plug-in with its default settings: whether it runs, and the place of the click in the output.
enum ImpulseCheck {
  private static let sampleRate = 48_000
  private static let blockLength = 1_024
  /// The place of the click: behind the noise of a plug-in's start.
  private static let place = 24_000
  private static let length = 96_000

  /// A line with the plug-in's latency, and with `shift`: the distance of the output's loudest sample behind the click,
  /// less the latency, in samples; null in silence.
  static func answer(of plugin: any LoadedPlugin) throws(AudioError) -> JSONValue {
    let description = plugin.description
    guard description.isEffect else {
      throw AudioError(
        .unsupported, cannot: "check", description.identity, because: "it is no effect")
    }
    let channelCount = description.fittingChannelCount
    let first = try run(plugin, channelCount, withClick: true)
    let second = try run(plugin, channelCount, withClick: true)
    let silence = try run(plugin, channelCount, withClick: false)
    // The plug-in's own hum and hiss are no answer to the click.
    var loudest: (place: Int, level: Float)?
    for (place, sample) in first.samples.enumerated() {
      let level = abs(sample - silence.samples[place])
      if level > loudest?.level ?? 1e-4 { loudest = (place, level) }
    }
    return .object([
      ("identity", .string(description.identity)), ("channels", .integer(Int64(channelCount))),
      ("latency", .integer(Int64(first.stream.latency))),
      ("changes", .integer(Int64(first.stream.changes))),
      ("shift", loudest.map { .integer(Int64($0.place - place)) } ?? .null),
      ("notNumbers", .integer(Int64(first.notANumberSamples))),
      ("isRepeatable", .boolean(first.samples == second.samples)),
    ])
  }

  /// The first channel of the output, without the latency.
  private static func run(
    _ plugin: any LoadedPlugin, _ channelCount: Int, withClick: Bool
  ) throws(AudioError) -> (samples: [Float], stream: DelayedStream, notANumberSamples: Int) {
    let rack = try PluginRack(
      plugin,
      InstanceSetting(sampleRate: sampleRate, blockLength: blockLength, values: [:], preset: nil),
      channelCount: channelCount)
    var stream = DelayedStream()
    var samples: [Float] = []
    var notANumberSamples = 0
    var position = 0
    while samples.count < length, position < length + DelayedStream.longest {
      for row in rack.inputs {
        row.fill(with: 0)
        let index = place - position
        if withClick, index >= 0, index < blockLength { row[index] = 0.5 }
      }
      rack.run()
      position += blockLength
      for row in rack.outputs { notANumberSamples += row.silenceWhatIsNotFinite() }
      let share = stream.take(rack.latency, length: blockLength)
      samples.append(contentsOf: repeatElement(0, count: min(share.silence, length)))
      for index in share.first..<blockLength { samples.append(rack.outputs[0][index]) }
    }
    return (Array(samples.prefix(length)), stream, notANumberSamples)
  }
}
