/// The lines in which two texts differ, with some equal lines around them.
enum FileDifference {
  /// Equal lines that are shown before and after a difference.
  private static let context = 2

  private enum Line {
    case same(Substring), removed(Substring), added(Substring)

    var text: String {
      switch self {
      case .same(let text): "  \(text)"
      case .removed(let text): "- \(text)"
      case .added(let text): "+ \(text)"
      }
    }
    var isSame: Bool {
      if case .same = self { true } else { false }
    }
  }

  /// The lines to display: removed ones begin with `-`, added ones with `+`, left out ones are
  /// `...`.
  static func lines(from old: String, to new: String) -> [String] {
    let all = merged(lines(of: old), lines(of: new))
    let changed = all.indices.filter { !all[$0].isSame }
    var shown: [String] = []
    var next = all.startIndex
    for index in all.indices {
      let isNear = changed.contains { abs($0 - index) <= context }
      guard isNear else { continue }
      if index > next { shown.append("...") }
      shown.append(all[index].text)
      next = index + 1
    }
    if !shown.isEmpty, next < all.endIndex { shown.append("...") }
    return shown
  }

  private static func lines(of text: String) -> [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The lines of both texts in their order; of a difference the removed ones come first.
  private static func merged(_ old: [Substring], _ new: [Substring]) -> [Line] {
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var all: [Line] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, removed.contains(i) {
        all.append(.removed(old[i]))
        i += 1
      } else if j < new.count, added.contains(j) {
        all.append(.added(new[j]))
        j += 1
      } else {
        all.append(.same(new[j]))
        (i, j) = (i + 1, j + 1)
      }
    }
    return all
  }
}
