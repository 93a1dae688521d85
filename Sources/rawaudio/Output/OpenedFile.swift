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

/// Writes all of `bytes`, in as few calls as the system allows.
///
/// - Parameter handle: called with the code of each failed call. If it does not throw, the call is repeated.
func writeAll<Failure: Error>(
  _ bytes: [UInt8], to descriptor: Int32, handle: (Int32) throws(Failure) -> Void
) throws(Failure) {
  var written = 0
  while written < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Glibc.write(
        descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
    }
    if count >= 0 {
      written += count
    } else {
      try handle(errno)
    }
  }
}

/// The reader of a pipe has closed it. It needs no more data, so this is no failure.
struct ReaderGone: Error {}
