// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Returns the folder, or a link to it if its path has a space or a colon: variables such as `LD_PRELOAD` and
/// `ALSA_CONFIG_PATH` end a name at these. One folder per process; the link is removed at its end.
public func pathWithoutSpaces(_ folder: String) -> String {
  guard folder.contains(where: { " :".contains($0) }) else { return folder }
  // A second call finds the link already there.
  try? FileManager.default.createSymbolicLink(atPath: linkPath, withDestinationPath: folder)
  atexit { _ = try? FileManager.default.removeItem(atPath: linkPath) }
  return linkPath
}

private var linkPath: String { "/tmp/rawaudio-tests-\(getpid())" }
