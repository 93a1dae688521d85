// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What a program that uses external programs has to do about signals.
package enum ProgramSignals {
  package static func ignorePipe() { signal(SIGPIPE, SIG_IGN) }
}
