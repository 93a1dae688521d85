// SPDX-License-Identifier: Apache-2.0
import Testing

/// File names are bytes, from the command line to the system call and to child processes.
@Suite struct PathBytesTests {
  let directory = TemporaryDirectory()

  init() throws {
    try directory.run("convert", "tone:440", "-d", "0.1", "-o", "in.wav").requireSuccess()
  }

  /// Runs a script of bash, in which `$n` is a name of the bytes FF FE, and lists all files except `in.wav` at its end.
  /// It removes them, because Foundation cannot remove such names.
  private func run(_ script: String) throws -> (run: ProcessRun, names: [String]) {
    let run = try directory.pipeline(
      """
      n=$'\\xff\\xfe'
      \(script)
      code=$?; shopt -s globstar dotglob nullglob; rm -f in.wav; for name in **; do printf '%q\\n' "$name"; done >&2
      for name in *; do rm -r "./$name"; done; exit $code
      """, environment: ["LC_ALL": "C", "ALSA_CONFIG_PATH": ""])
    let lines = run.standardError.split(separator: "\n").map(String.init)
    return (run, lines)
  }

  @Test func anOutputHasTheNameThatWasGiven() throws {
    let (run, names) = try run(#"rawaudio convert in.wav -o "o$n.wav""#)
    #expect(run.ending == .exit(0))
    #expect(names == [#"$'o\377\376.wav'"#])
  }

  @Test func anInputIsFoundAndShown() throws {
    let (run, names) = try run(
      #"mv in.wav "i$n.wav"; rawaudio info "i$n.wav"; rawaudio info --json "i$n.wav"; touch in.wav"#
    )
    #expect(run.ending == .exit(0))
    #expect(run.outputText.contains(#"file:         i\xff\xfe.wav"#))
    #expect(run.outputText.contains(#""path": "i\\xff\\xfe.wav""#))
    #expect(String(validating: run.standardOutput, as: UTF8.self) != nil)
    #expect(names == [#"$'i\377\376.wav'"#])
  }

  @Test func anErrorShowsTheBytes() throws {
    let (run, names) = try run(#"rawaudio info "x$n""#)
    #expect(run.ending == .exit(1))
    #expect(names == [#"rawaudio: cannot open 'x\xff\xfe': no such file"#])
  }

  /// Also through a link and in a folder of such names, in place and beside.
  @Test func aLinkLeadsToItsTarget() throws {
    let (run, names) = try run(
      #"""
      mkdir "d$n" && ln -s "d$n/t$n.wav" l.wav && ln -s "d$n" f && cp in.wav "d$n/t$n.wav" &&
      rawaudio convert tone:880 -d 0.2 -o l.wav --force && cmp -s in.wav l.wav; test $? = 1 &&
      rawaudio mix alsa:null -d 0.1 -o f/live.wav &&
      cd "d$n" && rawaudio convert ../in.wav -o here.wav && cmp ../in.wav here.wav &&
      rawaudio convert ../in.wav -o here.wav --force && cd ..
      """#)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(
      names == [
        #"$'d\377\376'"#, #"$'d\377\376/here.wav'"#, #"$'d\377\376/live.wav'"#,
        #"$'d\377\376/t\377\376.wav'"#, "f", "l.wav",
      ])
  }

  @Test func patternsKeepTheBytes() throws {
    let (run, names) = try run(
      #"""
      rawaudio convert in.wav --split 0.05 -o "p$n-%01d" -t wav -v --observe record:tap="t$n-%s.wav" 2> told;
      rawaudio convert in.wav -o o.wav --observe record:events="e$n" && grep -a -q "part 'p\\\\xff\\\\xfe-0'" told
      """#)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(
      names == [
        #"$'e\377\376'"#, "o.wav", #"$'p\377\376-0'"#, #"$'p\377\376-1'"#, "told",
        #"$'t\377\376-local.wav'"#,
      ])
  }

  /// Command line and environment.
  @Test func programsGetTheBytes() throws {
    let (run, names) = try run(
      #"""
      export V="v$n"; rawaudio convert in.wav -o o.wav --observe record:exec="tee 'c$n' | tee \"\$V\""
      """#)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(names == [#"$'c\377\376'"#, "o.wav", #"$'v\377\376'"#])
  }

  @Test func aSocketHasTheNameThatWasGiven() throws {
    let (run, names) = try run(
      #"""
      rawaudio session --listen "s$n" -d 0.1 --playback null: --observe playback:exec="ls > names; cat"
      grep -a -q "^s$n$" names
      """#)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(names == ["names"])
  }

  /// A letter of one and one of two characters are equal as text, but different names.
  @Test func equalTextIsNotTheSameName() throws {
    let (run, names) = try run(
      #"rawaudio convert in.wav -o $'\xc3\xa9.wav' --observe record:tap=$'e\xcc\x81.wav'"#)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(names.count == 2)
  }
}
