// SPDX-License-Identifier: Apache-2.0
internal import CALSA
import Testing

@testable import AudioDevices

@Suite struct SampleLayoutALSATests {
  @Test(arguments: [
    (SampleEncoding.s16, [SampleEncoding.s16, .s24, .s32, .f32, .f64, .s8, .u8, .ulaw, .alaw]),
    (.s24, [.s24, .s32, .f32, .f64, .s16, .s8, .u8, .ulaw, .alaw]),
    (.f32, [.f32, .f64, .s32, .s24, .s16, .s8, .u8, .ulaw, .alaw]),
    (.ulaw, [.ulaw, .s16, .s24, .s32, .f32, .f64, .s8, .u8, .alaw]),
  ])
  func triesTheNearestWiderFirst(wish: SampleEncoding, order: [SampleEncoding]) {
    var encodings: [SampleEncoding] = []
    for layout in SampleLayout.layouts(nearest: wish) where encodings.last != layout.encoding {
      encodings.append(layout.encoding)
    }
    #expect(encodings == order)
  }

  @Test func everyLayoutHasItsOwnALSAFormat() {
    let layouts = SampleEncoding.allCases.flatMap { SampleLayout.layouts(of: $0) }
    #expect(Set(layouts.map(\.alsaFormat.rawValue)).count == layouts.count)
  }
}
