// SPDX-License-Identifier: Apache-2.0
import Testing

/// Exhausted resources of the system.
@Suite struct ShortageTests {
  @Test func descriptors() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      rawaudio convert tone:440 -d 10S -o a.wav
      for n in $(seq 60); do ln a.wav $n.wav; done
      ulimit -n 40; rawaudio mix [0-9]*.wav -o mix.wav
      """)
    #expect(run.ending == .exit(1))
    let message =
      /rawaudio: cannot open '\d+\.wav': too many open files; this process may open more after ulimit -n\n/
    #expect(run.standardError.wholeMatch(of: message) != nil, "\(run.standardError)")
    #expect(!directory.names.contains("mix.wav"))
  }

  /// Some machines forbid strace(1) to trace other programs.
  @Test func threads() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      strace -o /dev/null true 2>/dev/null || { echo skipped; exit; }
      few() { strace -f -qq -o /dev/null -e inject=clone,clone3:error=EAGAIN rawaudio "$@"; }
      rawaudio convert noise:pink -d 30 -r 44100 -o in.flac
      few convert in.flac -r 48000 -o few.wav; echo $?
      rawaudio convert in.flac -r 48000 -o many.wav; cmp few.wav many.wav
      few convert in.flac -o tapped.wav --observe record:tap=tap.wav; echo $?; ls
      """)
    guard run.outputText != "skipped\n" else { return }
    #expect(run.outputText == "0\n1\nfew.wav\nin.flac\nmany.wav\n")
    run.expectMessages(
      "cannot start the thread 'background writer': the system has no more threads or memory to "
        + "give; see ulimit -u and ulimit -v")
  }
}
