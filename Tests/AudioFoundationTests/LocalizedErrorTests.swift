// SPDX-License-Identifier: Apache-2.0
import AudioFoundation
import Foundation
import Testing

@Suite struct LocalizedErrorTests {
  private struct Refusal: LocalizedError, CustomStringConvertible {
    var description: String { "the list is empty" }
  }

  /// The view of a program that does not know `AudioError`.
  @Test func foundationShowsWhatFailed() {
    let error: any Error = AudioError(
      .notFound, cannot: "open", "x.wav", because: "no such file", advice: "list the folder")
    #expect(error.localizedDescription == "cannot open 'x.wav': no such file")
    #expect((error as? any LocalizedError)?.failureReason == "no such file")
    #expect((error as? any LocalizedError)?.recoverySuggestion == "list the folder")
    #expect("\(error)" == "cannot open 'x.wav': no such file; list the folder")
  }

  @Test func nothingIsSuggestedWhereThereIsNoAdvice() {
    let error = AudioError(wrapping: Refusal(), cannot: "store", "x.db")
    #expect(error.errorDescription == "cannot store 'x.db': the list is empty")
    #expect(error.recoverySuggestion == nil)
  }
}
