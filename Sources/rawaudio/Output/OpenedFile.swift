// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// Opens a file for the command itself.
func openFile(_ path: String, _ flags: Int32, action: String) throws(AudioError) -> Int32 {
  let descriptor = unsafe open(Pathname(path).cString, flags, 0o666)
  guard descriptor >= 0 else { throw AudioError(systemCode: errno, cannot: action, path) }
  return descriptor
}
