// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

@Suite struct SessionControlTests {
  @Test(
    arguments: [
      ([.finish], .finish), ([.finish, .abandon], .abandon), ([.abandon, .finish], .abandon),
      ([.abandon, .finish, .finish], .abandon),
    ] as [([SessionControl.Request], SessionControl.Request)])
  func theStrongestRequestStays(
    requests: [SessionControl.Request], expected: SessionControl.Request
  ) {
    let control = SessionControl()
    #expect(control.request == nil)
    for request in requests { control.requestStop(request) }
    #expect(control.request == expected)
  }
}
