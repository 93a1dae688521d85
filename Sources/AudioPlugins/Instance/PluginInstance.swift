// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore

/// A running instance of a plug-in. Only the thread that made it uses it.
protocol PluginInstance: AnyObject {
  /// The latency of the output in samples, as reported in the last run; 0 if the plug-in reports none.
  var latency: Double { get }

  /// Computes `length` samples of every output from as many of every input.
  func run(_ length: Int)
}

/// A plug-in that can be instantiated any number of times.
protocol LoadedPlugin: AnyObject {
  var description: PluginDescription { get }

  /// - Parameters:
  ///   - setting: the values of the controls, and the shape of blocks.
  ///   - inputs: a row for each audio input; the last ones are the side chain's.
  ///   - outputs: a row for each audio output.
  /// - Throws: `unsupported` if the plug-in refuses; `unavailable` if it cannot be made for the rate.
  func instance(
    _ setting: InstanceSetting, inputs: [SampleRow], outputs: [SampleRow]
  ) throws(AudioError) -> any PluginInstance
}

/// The setting of an instance.
struct InstanceSetting {
  /// Hertz.
  var sampleRate: Int
  /// Samples per channel and run.
  var blockLength: Int
  /// By the symbols of ports; the other ports keep their defaults.
  var values: [String: Float]
  /// The URI of a preset; nil means none.
  var preset: String?

  /// The value of a control: its setting, else the plug-in's default.
  func value(of port: PluginPort) -> Float {
    values[port.symbol] ?? Float(port.standard * (port.followsRate ? Double(sampleRate) : 1))
  }
}

extension LoadedPlugin {
  /// The error of an instantiation that failed without a reason.
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
