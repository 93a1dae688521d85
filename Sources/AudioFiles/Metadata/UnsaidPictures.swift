// SPDX-License-Identifier: Apache-2.0
/// The pictures to write that no piece contains yet.
struct UnsaidPictures {
  private let all: [Metadata.Picture]
  /// The indices in `all` of the pictures not found in a piece yet. A picture may occur more than once.
  private var places: [Metadata.Picture: [Int]]

  init(_ pictures: [Metadata.Picture]) {
    all = pictures
    places = Dictionary(grouping: pictures.indices.reversed()) { pictures[$0] }
  }

  /// Notes that a piece contains the picture.
  ///
  /// - Returns: whether it was wanted.
  mutating func take(_ picture: Metadata.Picture) -> Bool {
    guard places[picture]?.isEmpty == false else { return false }
    places[picture]?.removeLast()
    return true
  }

  /// The pictures that no piece contains, in order.
  var rest: [Metadata.Picture] { places.values.flatMap { $0 }.sorted().map { all[$0] } }
}
