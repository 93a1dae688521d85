// SPDX-License-Identifier: Apache-2.0
/// Pictures that a file is to have, as long as none of its pieces says them.
struct UnsaidPictures {
  private let all: [Metadata.Picture]
  /// Where in `all` each stands that is not said yet; the same one may be wanted more than once.
  private var places: [Metadata.Picture: [Int]]

  init(_ pictures: [Metadata.Picture]) {
    all = pictures
    places = Dictionary(grouping: pictures.indices.reversed()) { pictures[$0] }
  }

  /// Notes that a piece says it.
  ///
  /// - Returns: whether it was wanted.
  mutating func take(_ picture: Metadata.Picture) -> Bool {
    guard places[picture]?.isEmpty == false else { return false }
    places[picture]?.removeLast()
    return true
  }

  /// What nothing says, in order.
  var rest: [Metadata.Picture] { places.values.flatMap { $0 }.sorted().map { all[$0] } }
}
