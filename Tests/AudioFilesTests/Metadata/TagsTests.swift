// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Texts by name, compared with a linear search in a plain list.
@Suite struct TagsTests {
  private struct Model {
    var entries: [(key: String, value: String)] = []

    mutating func set(_ key: String, _ values: [String]) {
      let place = entries.firstIndex { $0.key == key } ?? entries.count
      entries.removeAll { $0.key == key }
      entries.insert(contentsOf: values.map { (key, $0) }, at: place)
    }

    mutating func fill(from other: Model) {
      let own = Set(entries.map(\.key))
      entries += other.entries.filter { !own.contains($0.key) }
    }

    func values(_ key: String) -> [String] { entries.filter { $0.key == key }.map(\.value) }
  }

  private static let keys = ["TITLE", "ARTIST", "A", "B", "REPLAYGAIN_X"]

  private func pair(_ random: inout SeededRandom) -> (tags: Metadata.Tags, model: Model) {
    var tags = Metadata.Tags()
    var model = Model()
    for step in 0..<Int.random(in: 0...12, using: &random) {
      let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let values = (0..<Int.random(in: 0...3, using: &random)).map { "\(step).\($0)" }
        tags[key.lowercased()] = values
        model.set(key, values)
      case 1:
        tags.removeAll { $0.hasPrefix("A") }
        model.entries.removeAll { $0.key.hasPrefix("A") }
      default:
        tags.append(key, "\(step)")
        model.entries.append((key, "\(step)"))
      }
    }
    return (tags, model)
  }

  @Test(arguments: seeds(200)) func anyChangesGiveWhatAListGives(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var (tags, model) = pair(&random)
    let (other, otherModel) = pair(&random)
    let differing = Set(Self.keys.filter { model.values($0) != otherModel.values($0) })
    #expect(tags.keys(differingFrom: other) == differing)
    tags.fill(from: other)
    model.fill(from: otherModel)
    #expect(tags.entries.map(\.key) == model.entries.map(\.key))
    #expect(tags.entries.map(\.value) == model.entries.map(\.value))
    for key in Self.keys { #expect(tags[key] == model.values(key)) }
    var seen: Set<String> = []
    #expect(tags.keys == model.entries.map(\.key).filter { seen.insert($0).inserted })
  }
}
