/// Finds what a mistyped word was to be.
enum NearWord {
  /// The candidate with the fewest changed letters, at most a third of the word; nil without one.
  static func find(_ word: String, among candidates: [String]) -> String? {
    let near = candidates.map { (name: $0, changes: changes(from: Array(word), to: Array($0))) }
    guard let best = near.min(by: { $0.changes < $1.changes }),
      best.changes <= max(1, word.count / 3)
    else { return nil }
    return best.name
  }

  /// The number of letters that are inserted, deleted, replaced, or exchanged with the next.
  private static func changes(from a: [Character], to b: [Character]) -> Int {
    var (before, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, before[j - 1] + 1)
        }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
