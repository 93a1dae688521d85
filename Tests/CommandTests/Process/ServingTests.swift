// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import rawaudio

/// `rawaudio serve`: command lines that another program sends.
@Suite struct ServingTests {
  private let directory = TemporaryDirectory()

  /// Sends requests, and closes standard input after the last reply.
  private func serve(_ requests: [String]) throws -> (output: [UInt8], lines: [String]) {
    try directory.write(Array(requests.map { $0 + "\n" }.joined().utf8), "sent")
    try directory.mustRun(
      """
      mkfifo requests pipe
      rawaudio serve < requests > output 2> pipe & server=$!
      exec 3> requests 4< pipe
      cat sent >&3
      replies=0
      while [ "$replies" -lt \(requests.count) ] && read -r line <&4; do
        printf '%s\\n' "$line"
        case $line in *'"event":"reply"'*) replies=$((replies + 1)) ;; esac
      done > lines
      exec 3>&-
      wait "$server"
      """)
    let lines = String(decoding: try directory.bytes("lines"), as: UTF8.self)
    return (try directory.bytes("output"), lines.split(separator: "\n").map(String.init))
  }

  private func request(_ words: String...) throws -> String {
    let words = try JSONSerialization.data(withJSONObject: words, options: .withoutEscapingSlashes)
    return
      #"{"words":\#(String(decoding: words, as: UTF8.self)),"folder":"\#(directory.url.path)"}"#
  }

  @Test func oneProcessRunsSeveralCommandLines() throws {
    try directory.mustRun("rawaudio convert tone:440 -d 0.5 -r 48000 -c 2 -o tone.wav")
    let (output, lines) = try serve([
      try request(
        "convert", "--start=0.1", "--end=0.2", "-r", "16000", "-c", "1", "-t", "raw", "-f", "f32",
        "-o", "-",
        "tone.wav"),
      try request("convert", "tone.wav", "-o", "copy.flac"),
      try request("info", "--json", "copy.flac"),
    ])
    let alone = try directory.run([
      "convert", "--start=0.1", "--end=0.2", "-r", "16000", "-c", "1", "-t", "raw", "-f", "f32",
      "-o", "-",
      "tone.wav",
    ])
    #expect(output.prefix(1_600 * 4) == alone.standardOutput[...])
    #expect(output[(1_600 * 4)...].starts(with: Array("[\n".utf8)))
    #expect(lines.count == 6)
    #expect(lines[0] == #"{"event":"ready","version":"\#(RawAudio.program.version)"}"#)
    #expect(lines[1] == #"{"event":"started","sampleRate":16000,"channels":1}"#)
    #expect(
      lines[2].hasPrefix(
        #"{"event":"reply","code":0,"error":null,"result":{"schema":1,"source":"tone.wav""#))
    #expect(
      lines[2].contains(
        #""samplesPerChannel":1600,"duration":0.1,"sourceStart":4800,"sourceEnd":9600"#))
    #expect(lines[3] == #"{"event":"started","sampleRate":48000,"channels":2}"#)
    #expect(lines[5] == #"{"event":"reply","code":0,"error":null,"result":null}"#)
  }

  @Test func aFailureHasItsParts() throws {
    let (output, lines) = try serve([
      try request("convert", "none.wav", "-o", "-"), try request("measure", "--none", "x.wav"),
      #"{"words":"info"}"#, "rubbish", #"{"words":["--version"],"folder":"/none"}"#,
      try request("play", "none.wav", "--quiet"),
    ])
    #expect(output.isEmpty)
    #expect(
      lines[1].hasPrefix(
        #"{"event":"reply","code":1,"error":{"action":"open","subject":"none.wav","reason":"no such file","advice":null},"result":{"#
      ))
    let others = lines[2...].filter { $0.hasPrefix("{") }
    #expect(
      others == [
        #"{"event":"reply","code":64,"error":{"reason":"Unknown option '--none'"},"result":null}"#,
        #"{"event":"reply","code":64,"error":{"action":"read the request","subject":"","reason":"'words' is no array of texts","advice":null},"result":null}"#,
        #"{"event":"reply","code":64,"error":{"action":"read JSON","subject":"","reason":"there is no value at byte 1","advice":null},"result":null}"#,
        #"{"event":"reply","code":64,"error":{"action":"work in","subject":"/none","reason":"no such file","advice":null},"result":null}"#,
        #"{"event":"reply","code":1,"error":{"action":"open","subject":"none.wav","reason":"no such file","advice":null},"result":null}"#,
      ])
  }

  @Test func theEndOfStandardInputCompletesAConversionOfAPipe() throws {
    try directory.mustRun("mkfifo endless.wav")
    // The header states more than comes, and the other end of the FIFO stays open.
    try directory.mustRun(
      """
      mkfifo requests pipe
      rawaudio serve < requests 2> pipe & server=$!
      exec 3> requests 4< pipe
      echo '\(try request("convert", "endless.wav", "-o", "out.wav"))' >&3
      exec 5> endless.wav
      { rawaudio convert tone:440 -d 20 -r 48000 -c 2 -f s16 -o - || true; } | head -c 400044 >&5
      while read -r line <&4; do case $line in *started*) break ;; esac; done
      exec 3>&-
      cat <&4 > lines
      wait "$server"
      """)
    let lines = String(decoding: try directory.bytes("lines"), as: UTF8.self)
    #expect(lines.hasPrefix(#"{"event":"reply","code":0,"error":null,"result":{"schema":1,"#))
    #expect(lines.contains(#""samplesPerChannel":100000,"#))
    #expect(directory.names.contains("out.wav"))
  }
}
