// SPDX-License-Identifier: Apache-2.0
internal import rawaudio

/// The program begins in a target of its own, so that the tests link the command without it.
@main
enum Main {
  static func main() {
    RawAudio.main()
  }
}
