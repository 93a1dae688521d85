// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// Devices made of alsa-lib's own plug-ins: they need no hardware and keep no time.
///
/// `file-in:PATH` captures a raw file, `file-out:PATH` plays to one, `stereo` has exactly two channels, `linear` takes
/// integers only, `missing` is a missing card. If the virtual card was built, its devices exist as well.
enum AlsaConfiguration {
  /// A directory for the files of the tests; its first use puts the configuration in force.
  static let directory: URL = {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("rawaudio-alsa-\(ProcessInfo.processInfo.processIdentifier)")
    let file = directory.appendingPathComponent("asound.conf")
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    } catch {
      fatalError("cannot write \(file.path): \(error)")
    }
    let others = VirtualCard.isBuilt ? ":\(VirtualCard.configuration.path)" : ""
    unsafe setenv("ALSA_CONFIG_PATH", file.path + others, 1)
    return directory
  }()

  static func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

  private static let text = """
    pcm.unpaced {
      type null
      hint { show on description "No device" }
    }
    pcm.jack {
      type null
      hint { show on description "A server" }
    }
    pcm.missing {
      type hw
      card 31
      hint { show on description "No such card" }
    }
    pcm.stereo {
      type multi
      slaves.a { pcm { type null } channels 2 }
      bindings.0 { slave a channel 0 }
      bindings.1 { slave a channel 1 }
    }
    pcm.linear {
      type linear
      slave { pcm { type null } format S32_LE }
    }
    pcm.file-in {
      @args [ PATH ]
      @args.PATH { type string }
      type file
      slave.pcm { type null }
      file "/dev/null"
      infile $PATH
      format raw
    }
    pcm.file-out {
      @args [ PATH ]
      @args.PATH { type string }
      type file
      slave.pcm { type null }
      file $PATH
      format raw
      truncate true
    }
    """
}

extension VirtualCard {
  /// Returns the name of a card without a clock, with its own settings instead of the environment's.
  static func device(_ settings: String) -> String { "card:SPEED=0,\(settings)" }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests if the card was not built.
  static var needsVirtualCard: Self {
    .enabled(if: VirtualCard.isBuilt, "the virtual card is not built; run 'make virtual-card'")
  }
}
