// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore

/// A plug-in that was made and runs. Only the thread that made it uses it.
protocol PluginInstance: AnyObject {
  /// How late the output is, in samples, as the plug-in told with its last run; 0 if it tells nothing.
  var latency: Double { get }

  /// Makes `length` samples of every output of as many of every input.
  func run(_ length: Int)
}

/// A plug-in that can be made as often as it is needed.
protocol LoadedPlugin: AnyObject {
  var description: PluginDescription { get }

  /// - Parameters:
  ///   - setting: the values of the controls, and the shape of blocks.
  ///   - inputs: a row for each audio input; the last ones are those of the side chain.
  ///   - outputs: a row for each audio output.
  /// - Throws: `unsupported` if the plug-in refuses.
  func instance(
    _ setting: InstanceSetting, inputs: [SampleRow], outputs: [SampleRow]
  ) throws(AudioError) -> any PluginInstance
}

/// How an instance is made.
struct InstanceSetting {
  /// Hertz.
  var sampleRate: Int
  /// Samples per channel and run.
  var blockLength: Int
  /// By the symbols of ports; those that are not named have their own.
  var values: [String: Float]
  /// The URI of a preset; nil = none.
  var preset: String?

  /// The value of a control, as a setting or the plug-in gives it.
  func value(of port: PluginPort) -> Float {
    values[port.symbol] ?? Float(port.standard * (port.followsRate ? Double(sampleRate) : 1))
  }
}

extension LoadedPlugin {
  /// The error of a plug-in that gives no reason.
  func cannotBeMade(for sampleRate: Int) -> AudioError {
    AudioError(
      .unavailable, cannot: "run", description.identity,
      because: "it cannot be made for \(sampleRate) Hz")
  }

  /// The error of a plug-in that cannot run.
  func refused(because reason: String, advice: String? = nil) -> AudioError {
    AudioError(.unsupported, cannot: "run", description.identity, because: reason, advice: advice)
  }
}
