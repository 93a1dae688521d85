// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A value stored by one thread and read by another after its end.
package final class Box<Value: Sendable>: Sendable {
  private let stored: Mutex<Value>
  package init(_ value: Value) { stored = Mutex(value) }
  package var value: Value {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}

/// Lets another thread wait until a session has initialised all its parts.
package final class Opened: Sendable {
  private let gate = DispatchSemaphore(value: 0)
  package init(_ session: Session) { session.onStart = { [gate] _ in gate.signal() } }
  package func wait() { gate.wait() }
}
