// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

/// User names, passwords and keys in addresses.
@Suite struct AddressSecretsTests {
  @Test(arguments: [
    // Every scheme, in any case, with blanks and names in front.
    ("rtsp://u:pw@h/x", "rtsp://h/x"), ("rtsps://u:pw@h/x", "rtsps://h/x"),
    ("RTSP://u:pw@h", "RTSP://h"), ("  http://u:pw@h:80/a", "  http://h:80/a"),
    ("rtp://u:pw@h:5004?l16/48000", "rtp://h:5004?l16/48000"), ("rtsp://u@h/x", "rtsp://h/x"),
    ("anna=rtsp://u:pw@h/x", "anna=rtsp://h/x"), ("-Drtsp://u:pw@h", "-Drtsp://h"),
    ("--device=h2+x-y.z://u:pw@h", "--device=h2+x-y.z://h"),
    // Passwords that should have been written with percent signs.
    ("rtsp://u:p/w@h/x", "rtsp://h/x"), ("rtsp://u:p@w@h/x", "rtsp://h/x"),
    ("rtsp://u:p?w@h", "rtsp://h"), ("rtsp://u:p#w@h/x", "rtsp://h/x"),
    ("rtsp://u:12/34@h/x", "rtsp://h/x"), ("rtsp://u:p w@h/x", "rtsp://h/x"),
    ("rtsp://u:ü🙂@h/x", "rtsp://h/x"), ("rtsp://u:@h", "rtsp://h"), ("rtsp://@h/", "rtsp://h/"),
    // Queries.
    ("rtsp://h/x?user=a&password=b&x=1", "rtsp://h/x?user=&password=&x=1"),
    ("rtsp://u:pw@h/?API_Key=3;token=4#end", "rtsp://h/?API_Key=;token=#end"),
    ("rtsp://h/?Access-Token=t&pwd=", "rtsp://h/?Access-Token=&pwd="),
    // Messages.
    (
      "cannot open 'rtsp://u:p'w@h/x': no such file; see 'http://a:b@c'",
      "cannot open 'rtsp://h/x': no such file; see 'http://c'"
    ),
    (
      "The value 'rtsp://u:pw@h/x?pwd=1' is invalid for '-D <device>': it's a@b",
      "The value 'rtsp://h/x?pwd=' is invalid for '-D <device>': it's a@b"
    ),
  ])
  func areLeftOut(_ text: String, _ expected: String) { #expect(text.withoutSecrets == expected) }

  /// Also file names.
  @Test(arguments: [
    "dir//a@b.wav", "a://", "://u:p@h", "//u:p@h", "rtsp://h/a@b.wav", "rtsp://h:554/cam",
    "rtsp://[::1]:554/x@y", "rtsp://h/x?mail=a@b", "rtsp://h/x?stream=1&channel=2", "", "@",
    "a:b@c",
    "http:/u:p@h", "mail a@b about 'x://y'",
  ])
  func nothingElseIs(_ text: String) { #expect(text.withoutSecrets == text) }

  @Test func errorsHaveNone() {
    let error = AudioError(
      .notFound, cannot: "open", "http://u:pw@h/x", because: "'rtsp://a:b@c' is no file",
      advice: "write rtsp://h/x?token=t")
    #expect(
      error.description
        == "cannot open 'http://h/x': 'rtsp://c' is no file; write rtsp://h/x?token=")
  }
}
