// SPDX-License-Identifier: Apache-2.0
@testable import AudioCore

extension SessionCase {
  /// The cases that are simpler in one respect.
  var simpler: [SessionCase] {
    var cases: [SessionCase] = []
    func add(_ change: (inout SessionCase) -> Void) {
      var copy = self
      change(&copy)
      if copy != self, copy.local != nil || !copy.remotes.isEmpty { cases.append(copy) }
    }
    for index in observers.indices { add { $0.observers.remove(at: index) } }
    for index in remotes.indices { add { $0.removeRemote(index) } }
    add { $0.local = nil }
    for place in [SinkPlace.publish, .playback, .mixed] { add { $0.wanted[place] = nil } }
    add { $0.room = .max }
    add { $0.sumRate = nil }
    add { $0.sumChannels = nil }
    for index in remotes.indices {
      for source in remotes[index].simpler { add { $0.remotes[index] = source } }
    }
    for source in local?.simpler ?? [] { add { $0.local = source } }
    for index in observers.indices {
      for observer in observers[index].simpler { add { $0.observers[index] = observer } }
    }
    return cases
  }

  private mutating func removeRemote(_ index: Int) {
    remotes.remove(at: index)
    observers.removeAll { $0.source == index }
    for other in observers.indices {
      if let source = observers[other].source, source > index {
        observers[other].source = source - 1
      }
    }
  }

  /// Returns the simplest case for which `fails` still holds; each step takes the first simpler one that fails.
  func shrunk(while fails: (SessionCase) -> Bool) -> SessionCase {
    var smallest = self
    while let next = smallest.simpler.first(where: fails) { smallest = next }
    return smallest
  }
}

extension SessionCase.Source {
  fileprivate var simpler: [Self] {
    let changes: [(inout Self) -> Void] = [
      { $0.length /= 2 }, { $0.length = max(0, $0.length - 1) }, { $0.rate = 8_000 },
      { $0.channels = 1 }, { $0.isTrimmed = false }, { $0.gain = 1 }, { $0.pan = 0 },
      { $0.offset /= 2 }, { $0.pieces = [1_000_000] }, { $0.noise = 1 },
    ]
    return changes.map { change in
      var copy = self
      change(&copy)
      return copy
    }
  }
}

extension SessionCase.Observer {
  fileprivate var simpler: [Self] {
    var changes: [(inout Self) -> Void] = [
      { $0.rate = nil }, { $0.channels = nil }, { $0.frameLength = nil }, { $0.mode = .readOnly },
      { $0.edit = .none }, { $0.answer = true }, { $0.source = nil },
    ]
    for bit in 0..<4 where positions.rawValue.nonzeroBitCount > 1 {
      changes.append { $0.positions.remove(ObservationPositions(rawValue: 1 << bit)) }
    }
    return changes.map { change in
      var copy = self
      change(&copy)
      return copy
    }
  }
}
