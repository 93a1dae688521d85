// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// No message, event, result, name or title shows a password, however its address is written, and whatever command gets
/// it.
@Suite struct SecretTests {
  private static let user = "Bird7", password = "s3cr3t"
  static let addresses = [
    "rtsp://\(user):\(password)@127.0.0.1:1/cam", "rtsps://\(user):\(password)@127.0.0.1:1/cam",
    "RTSP://\(user):\(password)@127.0.0.1:1/cam", "http://\(user):\(password)@127.0.0.1:1/cam",
    " rtsp://\(user):\(password)@127.0.0.1:1/cam", "rtsp://\(user):x/\(password)@127.0.0.1:1/cam",
    "rtsp://\(user):x?\(password)@127.0.0.1:1", "rtsp://\(user):x y\(password)@127.0.0.1:1",
    "rtp://\(user):\(password)@127.0.0.1:5004?l16/48000", "rtp://\(user):\(password)@127.0.0.1",
    "rtsp://127.0.0.1:1/cam?user=\(user)&password=\(password)",
    "rtsp://127.0.0.1:1/cam?USR=\(user);Token=\(password)#x",
    "rtp://127.0.0.1?pwd=\(password)&key=\(user)",
  ]

  /// Each with `@` for the address, quoted.
  static let commands = [
    "capture -D @ -d 0.1 -o x.wav --timeout 300ms",
    "capture -v --json -D @ -d 0.1 -o x-%d-%02d.wav",
    "capture -D@ -o x.wav", "capture --device=@ -o x.wav", "info @", "info --json @", "measure @",
    "measure --json @", "convert @ -o x.wav", "convert @ @ -o {stem}.wav --results -",
    "convert tone:440 -d 0.1 -o @", "convert tone:440 -d 0.1 -o @ --json", "play @",
    "play tone:440 -d 0.1 -D @",
    "mix @ tone:440 -d 0.1 -o x.wav", "concat @ -o x.wav", "plot @ -o x.png",
    "session --remote @ --mixed x.wav",
    "session --remote anna=@ -d 0.1 --mixed x.wav -v", "session --local @ --publish x.wav -d 0.1",
    "convert tone:440 -d 0.1 -o x.wav --observe record:tap=@",
    "convert tone:440 -d 0.1 -o x.wav -r @",
    "convert --list @ -o x.wav", "capture -D nothing: -o x.wav @", "@", "devices @", "plugins @",
    "convert tone:440 -d 0.1 -o x.wav --credentials @",
    "convert tone:440 -d 0.1 -o null: --observe @",
  ]

  @Test(arguments: commands)
  func areNeverShown(_ command: String) throws {
    let directory = TemporaryDirectory()
    for address in Self.addresses {
      let words = command.replacing("@", with: "'\(address)'")
      let run = try directory.pipeline("rawaudio \(words) </dev/null")
      let told = run.outputText + run.standardError
      for secret in [Self.user, Self.password] {
        #expect(!told.contains(secret), "\(words): \(told)")
        #expect(!directory.names.contains { $0.contains(secret) }, "\(words)")
      }
      #expect(run.ending != .exit(0) || !told.isEmpty || command.hasPrefix("convert tone"))
    }
  }

  /// Other users see the words of a process.
  @Test(arguments: addresses) func areNoPartOfTheTitle(_ address: String) throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      mkfifo pipe; exec 4<>pipe
      rawaudio convert - --input-type raw --input-rate 8000 --input-channels 1 --input-format s16 -v \
        --tag 'comment=\(address)' -o x.wav <&4 2>told & process=$!
      until grep -q precision told; do sleep 0.01; done
      tr '\\0' '\\n' </proc/$process/cmdline; kill -KILL $process; wait $process
      """)
    #expect(run.outputText.contains("--input-format\n"))
    for secret in [Self.user, Self.password] { #expect(!run.outputText.contains(secret)) }
  }
}
