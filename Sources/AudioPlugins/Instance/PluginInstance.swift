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
  func refused(because reason: String) -> AudioError {
    AudioError(.unsupported, cannot: "run", description.identity, because: reason)
  }
}

/// The samples of one channel of a block, at a constant address, which plug-ins keep.
///
/// Only the thread that runs the plug-ins uses it.
@safe
final class SampleRow {
  /// Samples of a block.
  let length: Int
  private let base: UnsafeMutablePointer<Float>

  init(length: Int, filledWith value: Float = 0) {
    self.length = length
    // Aligned for the vector loops of plug-ins with registers of any width.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, length) * MemoryLayout<Float>.stride, alignment: 64)
    unsafe base = memory.bindMemory(to: Float.self, capacity: max(1, length))
    unsafe base.initialize(repeating: value, count: max(1, length))
  }

  deinit { unsafe base.deallocate() }

  /// The address for a plug-in's port.
  var address: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(base) }

  subscript(index: Int) -> Float {
    get {
      precondition(index >= 0 && index < length)
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < length)
      unsafe base[index] = newValue
    }
  }

  func fill(with value: Float) { unsafe base.update(repeating: value, count: length) }

  /// Replaces NaN and infinite samples by silence.
  ///
  /// - Returns: the number of replaced samples.
  func silenceWhatIsNotFinite() -> Int {
    var count = 0
    for index in 0..<length where unsafe !base[index].isFinite {
      unsafe base[index] = 0
      count += 1
    }
    return count
  }
}
