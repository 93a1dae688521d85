// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The summary and the requests of a program that joined a session.
@Suite struct JoinedSummaryTests {
  /// The client's `split` begins another file.
  @Test func aClientIsInTheSummaryAndSplits() throws {
    let bench = try CardBench()
    try bench.write(
      Array(
        #"""
        import json, socket
        def join(line):
            client = socket.socket(socket.AF_UNIX)
            client.connect("s")
            client.sendall(json.dumps(line).encode() + b"\n")
            return client, client.makefile("r")
        control, answers = join({"control": 1, "events": True})
        def wait(word):
            while True:
                line = answers.readline()
                if not line or word in line: return line
        wait('"ok"')
        voice, _ = join({"join": "anna", "rate": 8000.0, "latency": 0})
        voice.sendall(b"\x01\x02" * 4000)
        wait('"joined"')
        control.sendall(b'{"split":true}\n')
        print(wait('"ok"').strip(), flush=True)
        voice.shutdown(socket.SHUT_WR)
        wait('"left"')
        """#.utf8), to: "client.py")
    let line =
      "timeout -s KILL 50 '\(BuiltProducts.rawaudio.path)' session --listen s --until-empty"
      + " -r 8000 -c 1 --split 10 --playback 'part-%03d.wav' --json 2> told &"
      + " for wait in $(seq 1000); do [ -S s ] && break; sleep 0.02; done;"
      + " /usr/bin/python3 -B client.py; wait $!"
    let run = try bench.pipeline(line)
    #expect(run.standardOutput.elementsEqual(#"{"schema":1,"ok":true}"#.utf8 + [0x0A]))
    #expect(
      bench.exists("part-000.wav") && bench.exists("part-001.wav") && !bench.exists("part-002.wav"))
    let told = String(decoding: try bench.bytes(of: "told"), as: UTF8.self)
    #expect(
      told.contains(
        #""outcome":"finished","sources":[{"source":"anna","samplesPerChannel":4000,"#
          + #""missingSamplesPerChannel":0,"sampleRate":8000,"channels":1}],"#), "\(told)")
  }
}
