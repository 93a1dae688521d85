// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore

/// A plug-in instantiated for the channels of a stream: once, or once for each channel.
///
/// | the plug-in's inputs and outputs | the stream's channels | |
/// |---|---|---|
/// | 1 → 1 | n | one instance for each channel |
/// | n → n | n | one instance |
/// | 1 → n | n | one instance, which gets the mean of the channels |
/// | m → n, m > n | m | one instance; the channels behind n are silent |
/// | m → n, 1 < m < n | n | one instance, which gets the first m channels |
///
/// Inputs of a side chain get the channels of the other inputs.
final class PluginRack {
  /// The input of the next run, a row for each channel.
  let inputs: [SampleRow]
  /// The output of the last run, a row for each channel.
  let outputs: [SampleRow]
  private var instances: [any PluginInstance] = []
  /// The mean of the inputs; nil if no instance needs it.
  private let mean: SampleRow?
  let blockLength: Int

  /// - Throws: `invalidParameter` if the channels do not fit.
  init(
    _ plugin: any LoadedPlugin, _ setting: InstanceSetting, channelCount: Int
  ) throws(AudioError) {
    try plugin.description.requireFit(of: channelCount)
    let (main, sides, outs) = (
      plugin.description.mainInputs, plugin.description.sideChains, plugin.description.outputs
    )
    let length = setting.blockLength
    blockLength = length
    func rows(_ count: Int) -> [SampleRow] { (0..<count).map { _ in SampleRow(length: length) } }
    inputs = rows(channelCount)
    outputs = rows(channelCount)
    let hearsMean = main == 1 && outs > 1
    mean = hearsMean ? SampleRow(length: length) : nil
    let isCopied = main == 1 && outs == 1
    for first in isCopied ? Array(0..<channelCount) : [0] {
      let heard = mean.map { [$0] } ?? Array(inputs[first..<first + main])
      let steering = (0..<sides).map { heard[$0 % heard.count] }
      instances.append(
        try plugin.instance(
          setting, inputs: heard + steering, outputs: Array(outputs[first..<first + outs])))
    }
    keep()
  }

  /// Keeps this object until the end of the process: plug-ins keep the addresses of its rows, and instances are never
  /// freed.
  private func keep() { _ = unsafe Unmanaged.passRetained(self) }

  /// The latency of the output, in samples per channel, as reported in the last run.
  var latency: Double { instances.reduce(0) { max($0, $1.latency) } }

  /// Computes a block of ``outputs`` from a block of ``inputs``.
  func run() {
    if let mean {
      let share = 1 / Float(inputs.count)
      for index in 0..<blockLength {
        mean[index] = inputs.reduce(0) { $0 + $1[index] } * share
      }
    }
    for instance in instances { instance.run(blockLength) }
  }
}

extension PluginDescription {
  /// The channel count that the plug-in needs unless it has one instance for each channel.
  var fittingChannelCount: Int { max(mainInputs, outputs) }

  /// - Throws: `invalidParameter` if it cannot be instantiated for this many channels.
  func requireFit(of channelCount: Int) throws(AudioError) {
    guard isEffect else {
      throw AudioError(
        .invalidParameter, cannot: "use", identity, because: "it is no effect: \(channels) channels"
      )
    }
    if mainInputs == 1, outputs == 1 { return }
    guard channelCount != fittingChannelCount else { return }
    throw AudioError(
      .invalidParameter, cannot: "use", identity,
      because: "it has \(channels) channels, and the stream has \(channelCount)",
      advice: "put channels=\(fittingChannelCount) in front of the colon")
  }
}
