import TestSupport

/// The notices of a player or board.
struct Notices: Sendable {
  private let texts = Collected<String>()

  func add(_ text: String) { texts.add(text) }
  func has(_ word: String) -> Bool { count(word) > 0 }
  func count(_ word: String) -> Int { texts.all.count { $0.contains(word) } }
}
