// SPDX-License-Identifier: Apache-2.0
#if arch(x86_64) || arch(arm64)
import Foundation
import Testing

/// The libraries loaded by the Makefile's command, in the dynamic loader's own report (LD_DEBUG, ld.so(8)).
@Suite(.enabled(if: ProcessInfo.processInfo.environment["COMMAND_UNDER_TEST"] != nil))
struct StartUpTests {
  private static let libraries = ["libsndfile.so.1", "libasound.so.2"]

  private func loaded(_ words: String..., in directory: TemporaryDirectory) throws -> [String] {
    let run = try directory.run(words, environment: ["LD_DEBUG": "libs"])
    #expect(run.ending == .exit(0))
    return Self.libraries.filter { run.standardError.contains("find library=\($0)") }
  }

  @Test func whatNeedsNoLibraryLoadsNone() throws {
    let directory = TemporaryDirectory()
    try directory.write(
      WaveBytes.file(
        [UInt8](repeating: 0, count: 400), channelCount: 2, sampleRate: 44_100), "a.wav")
    #expect(try loaded("--version", in: directory) == [])
    #expect(try loaded("convert", "--help", in: directory) == [])
    #expect(try loaded("info", "a.wav", in: directory) == [])
    #expect(try loaded("convert", "a.wav", "-o", "b.wav", in: directory) == [])
    #expect(try loaded("convert", "a.wav", "-o", "a.flac", in: directory) == ["libsndfile.so.1"])
    // PulseAudio's plug-in for libasound may need libsndfile.
    #expect(try loaded("devices", in: directory).contains("libasound.so.2"))
  }

  /// `setenv` moves the environment, behind which the words lie.
  @Test func aPreloadedLibraryMayChangeTheEnvironment() throws {
    let directory = TemporaryDirectory()
    try directory.write(
      Array(
        """
        #include <stdlib.h>
        __attribute__((constructor)) static void change(void) { setenv("PRELOADED", "1", 1); }
        """.utf8), "change.c")
    let run = try directory.pipeline(
      """
      cc -shared -fPIC -o change.so change.c && export LD_PRELOAD=./change.so &&
      rawaudio convert tone:440 -d 1 -r 8000 -o 'a b.wav' && test -s 'a b.wav'
      """)
    run.expectExit(0)
  }

  @Test func aLibraryThatCannotBeLoadedIsNamed() throws {
    let directory = TemporaryDirectory()
    try directory.write(Array("no library".utf8), "libsndfile.so.1")
    let run = try directory.run(
      "convert", "tone:440", "-d", "1", "-o", "a.flac",
      environment: ["LD_LIBRARY_PATH": directory.url.path])
    #expect(
      run.standardError.hasPrefix("rawaudio: cannot load libsndfile.so.1: ")
        && run.standardError.hasSuffix("; install the package libsndfile1\n"),
      "\(run.standardError)")
    #expect(run.ending == .exit(1))
  }
}
#endif
