// SPDX-License-Identifier: Apache-2.0
/// Numbers drawn from a seed.
package struct Draw {
  private var state: UInt64

  package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03 | 1 }

  package mutating func next() -> UInt64 {
    // xorshift64*, Vigna 2016
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }

  package mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() >> 33) % range.count
  }

  package mutating func element<Element>(_ elements: [Element]) -> Element {
    elements[number(in: 0...elements.count - 1)]
  }

  package var chance: Bool { mutating get { number(in: 0...1) == 0 } }

  package var rate: Int { mutating get { element([4_000, 8_000, 8_000, 11_025, 12_000]) } }
}
