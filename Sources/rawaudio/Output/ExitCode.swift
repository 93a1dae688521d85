// SPDX-License-Identifier: Apache-2.0
enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  case failure = 1
  /// The run is complete, but met a condition of `--fail-on`.
  case strict = 2
  /// A mistake in the command line; EX_USAGE of sysexits.h.
  case usage = 64
  /// 128 + the number of the signal, as in shells.
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}
