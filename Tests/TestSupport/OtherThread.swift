// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Threads for the other end of a pipe.
package enum OtherThread {
  package struct Running: Sendable {
    fileprivate let done: DispatchSemaphore
    package func wait() { done.wait() }
  }

  @discardableResult
  package static func run(_ work: @escaping @Sendable () -> Void) -> Running {
    let running = Running(done: DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      work()
      running.done.signal()
    }
    return running
  }
}
