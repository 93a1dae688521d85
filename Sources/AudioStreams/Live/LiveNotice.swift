// SPDX-License-Identifier: Apache-2.0
/// News of a live end that are no loss: a connection, a changed period.
public struct LiveNotice: Sendable, Hashable {
  /// A clause whose subject is the end: `is connected to system:capture_1`.
  public var text: String
  /// Whether it is told only with details.
  public var isDetail: Bool

  public init(_ text: String, isDetail: Bool = false) {
    self.text = text
    self.isDetail = isDetail
  }
}
