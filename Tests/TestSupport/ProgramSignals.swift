// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The signal setup of a program that uses external programs.
package enum ProgramSignals {
  package static func ignorePipe() { signal(SIGPIPE, SIG_IGN) }
}
