// SPDX-License-Identifier: Apache-2.0
internal import Glibc

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
