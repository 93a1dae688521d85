// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The program whose processes run plug-ins.
public struct PluginHostProgram: Sendable, Hashable {
  /// A path, or a name on the PATH.
  public let path: String

  /// - Parameter path: of a program that calls `PluginHost.serve` of AudioPlugins first in `main`.
  public init(path: String) { self.path = path }

  /// The command of this package, on the PATH.
  public static let installed = PluginHostProgram(path: "rawaudio")

  /// This program: one that calls `PluginHost.serve` first.
  public static let current = PluginHostProgram(path: "/proc/self/exe")

  /// The first word of its command line.
  package static let word = "plugin-host"

  /// The time without an answer after which a plug-in counts as hung.
  package static let patience = ProgramReports.patience

  /// Starts a process with these words and waits for all of its answer.
  ///
  /// - Parameter subject: the name in errors.
  /// - Returns: its lines, also before a failure, and the failure.
  package func ask(
    _ words: [String], about subject: String
  ) throws(AudioError) -> (lines: [JSONValue], failure: AudioError?) {
    func failed(_ reason: String) -> AudioError {
      AudioError(.unsupported, cannot: "run", subject, because: reason)
    }
    let reports = try ProgramReports(of: subject)
    let pipe = try PipeEnd.pipe()
    let child = try ChildProcess.started(
      path, ([Self.word] + words).map { Pathname($0) }, output: pipe.writing,
      errors: reports.descriptor,
      advice: "install rawaudio, or name the program that hosts plug-ins")
    pipe.reading.makeNonBlocking()
    var text: [UInt8] = []
    let begin = MonotonicTime.now
    while try read(pipe.reading, into: &text) {
      guard MonotonicTime.now.elapsed(since: begin) < Self.patience else {
        child.terminate()
        return (Self.lines(text), failed("it gave no answer for \(Self.patience)"))
      }
    }
    let ending = child.wait(ChildProcess.patience)
    var failure = reports.failure(of: subject)
    if failure == nil, ending?.isSuccess != true {
      failure = failed(ending.map { "\($0)" } ?? "it gave its answer and did not end")
    }
    child.terminate()
    return (Self.lines(text), failure)
  }

  /// - Returns: false at the end.
  private func read(_ pipe: PipeEnd, into text: inout [UInt8]) throws(AudioError) -> Bool {
    let block = ByteQueue(capacity: 1 << 16)
    var hasEnded = false
    _ = try unsafe block.append { (target) throws(AudioError) in
      switch try unsafe pipe.read(into: target) {
      case .moved(let count): return count
      case .ended: hasEnded = true
      case .wouldWait:
        var request = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, 100)
      }
      return 0
    }
    unsafe text.append(contentsOf: block.bytes)
    return !hasEnded
  }

  private static func lines(_ text: [UInt8]) -> [JSONValue] {
    text.split(separator: 0x0A).compactMap { try? JSONValue(reading: $0) }
  }
}
