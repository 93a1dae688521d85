// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// Overwrites the secrets of addresses in the words of the command line, which other users see in the list of processes.
///
/// The words lie where the system put them: fields 48 and 49 of `/proc/self/stat` (proc(5)). Copy them before.
func hideSecretsInProcessTitle(_ words: [String]) {
  guard words.contains(where: { $0.withoutSecrets != $0 }),
    let file = try? FileDescriptor(reading: "/proc/self/stat"),
    let text = try? file.preview(4_096, unless: { _ in false }).bytes
  else { return }
  // The program's name stands in brackets, and may have any character in it.
  let fields =
    String(decoding: text, as: UTF8.self).split(separator: ")").last?
    .split(separator: " ") ?? []
  guard fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]), start < end,
    let place = unsafe UnsafeMutableRawPointer(bitPattern: start)
  else { return }
  let words = unsafe UnsafeMutableRawBufferPointer(start: place, count: Int(end - start))
  var begin = 0
  for word in unsafe Array(words).split(separator: 0, omittingEmptySubsequences: false) {
    for range in AddressSecrets(in: Array(word)).ranges {
      for place in range { unsafe words[begin + place] = UInt8(ascii: "x") }
    }
    begin += word.count + 1
  }
}
