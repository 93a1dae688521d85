// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Point 9: the frame is borrowed, its copy is owned.
@Suite struct OwnershipTests {
  private static let accepted = [
    // An owned copy may be kept and may cross threads.
    "kept = frame.copy(); let copy = frame.copy(); Thread.detachNewThread { print(copy.samples) }",
    "frame.samples[0] = frame.samples[1] / 2",
    "let span = frame.samples.span; total += span[0]",
  ]

  private static let refused = [
    ("later { frame.samples[0] = 0 }", "escaping closure captures 'inout' parameter 'frame'"),
    ("later { print(frame.renderTime) }", "escaping closure captures 'inout' parameter 'frame'"),
    ("Thread.detachNewThread { print(frame.renderTime) }", "non-Sendable type 'AudioFrame<Float>'"),
    ("let taken = frame; later { print(taken.renderTime) }", "escapes its scope"),
    // An observer cannot change a frame's length, format or time.
    ("frame.format = frame.format", "'format' is a 'let' constant"),
    ("frame.samplePosition += 1", "'samplePosition' is a 'let' constant"),
    ("frame.samples.append(0)", "has no member 'append'"),
  ]

  @Test(arguments: accepted)
  func theCompilerAccepts(statement: String) throws {
    #expect(try Typecheck.diagnostics(observing: statement) == "")
  }

  @Test(arguments: refused)
  func theCompilerRefuses(statement: String, reason: String) throws {
    #expect(try Typecheck.diagnostics(observing: statement).contains(reason))
  }

  @Test(arguments: ["AudioFrame<Float>", "Span<Float>", "MutableSpan<Float>"])
  func theCompilerRefusesToKeep(type: String) throws {
    let diagnostics = try Typecheck.diagnostics(observing: "", member: "var held: \(type)?")
    #expect(diagnostics.contains("cannot return a ~Escapable result"))
  }

  /// A callback that is never called is a compile error, not a default that does nothing.
  @Test(arguments: [
    "RecordObserver": "func recorded(_ frame: inout AudioFrame<Float>) -> Bool { true }",
    "BeforeMixingObserver":
      "func beforeMixing(_ frame: inout AudioFrame<Float>, source: SourceID) -> Bool { true }",
    "UniformObserver": "func observe(_ frame: inout AudioFrame<Float>) -> Bool { true }",
  ])
  func theCompilerRefusesAMisspeltCallback(name: String, callback: String) throws {
    let diagnostics = try Typecheck.diagnostics(
      of: "import AudioCore\nfinal class Observer: \(name) {\n  \(callback)\n}\n")
    #expect(diagnostics.contains("error: ") && diagnostics.contains("protocol '\(name)'"))
  }

  @Test(arguments: ["Float", "Double", "Int16"])
  func theCompilerAcceptsOneFunction(type: String) throws {
    let program = """
      import AudioCore
      final class Observer: RecordObserver, MixedObserver {
        func record(_ frame: inout AudioFrame<\(type)>) -> Bool { true }
        func mixed(_ frame: inout AudioFrame<\(type)>) -> Bool { true }
      }
      """
    #expect(try Typecheck.diagnostics(of: program) == "")
  }

  /// A copy keeps its samples after the observer's own edits and after later frames in that memory.
  @Test func aCopyNeverChanges() throws {
    let bench = try ContractSession()
    let plain = try ContractSession().run()[0].map { Float($0) }
    let observer = RecordingObserver<Float>(.record, FrameParameters(mode: .readWrite)) { samples in
      for index in samples.indices { samples[index] = 1 }
    }
    try bench.session.register(observer)
    let output = try bench.run()[0]
    #expect(observer.samples() == plain)
    #expect(output == [Double](repeating: 1, count: 1_000))
  }
}
