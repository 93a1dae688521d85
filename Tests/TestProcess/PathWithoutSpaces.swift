// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The folder, or a link to it where its path has a space or a colon: some variables, such as `LD_PRELOAD` and
/// `ALSA_CONFIG_PATH`, take these for the ends of names. One folder a process; the link is removed when it ends.
public func pathWithoutSpaces(_ folder: String) -> String {
  guard folder.contains(where: { " :".contains($0) }) else { return folder }
  // It is there already for whoever asks again.
  try? FileManager.default.createSymbolicLink(atPath: linkPath, withDestinationPath: folder)
  atexit { _ = try? FileManager.default.removeItem(atPath: linkPath) }
  return linkPath
}

private var linkPath: String { "/tmp/rawaudio-tests-\(getpid())" }
