// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// Whether an open file is empty, or begins as this program's files of a kind do. A killed run may have left fewer bytes.
func isOwn(_ descriptor: Int32, beginning: [UInt8]) -> Bool {
  var bytes = [UInt8](repeating: 0, count: beginning.count)
  let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
  return count <= 0 || bytes[..<count].elementsEqual(beginning[..<count])
}

/// Opens a file for the command itself.
func openFile(_ path: String, _ flags: Int32, action: String) throws(AudioError) -> Int32 {
  let descriptor = unsafe open(Pathname(path).cString, flags, 0o666)
  guard descriptor >= 0 else { throw AudioError(systemCode: errno, cannot: action, path) }
  return descriptor
}
