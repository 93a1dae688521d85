// SPDX-License-Identifier: Apache-2.0
/// The candidate nearest to `word`. Nil if none is near enough.
///
/// A candidate is near if at most a third of the letters are mistyped (one letter is always allowed), or if it is the
/// only one that starts with `word`.
func nearest(to word: String, among candidates: [String]) -> String? {
  let ranked = candidates.map { (candidate: $0, distance: editDistance(word, $0)) }
  if let best = ranked.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, word.count / 3), best.distance < best.candidate.count
  {
    return best.candidate
  }
  let completions = candidates.filter { word.count > 1 && $0.hasPrefix(word) }
  return completions.count == 1 ? completions.first : nil
}

/// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
///
/// Source: https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance
func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left)
  let right = Array(right)
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let substitution = last[j] + (left[i] == right[j] ? 0 : 1)
      var distance = min(substitution, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    beforeLast = last
    last = row
  }
  return last[right.count]
}
