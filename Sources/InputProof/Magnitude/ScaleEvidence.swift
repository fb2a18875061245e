/// Whether windows agree on the size of something.
struct ScaleEvidence: Sendable {
  /// Windows in a row that must agree.
  private let wanted: Int
  /// Largest ratio of windows that agree.
  private let agreement: Double
  private var newest: Double?
  private var run = 0

  /// What the windows agree on; nil before enough do, and after one that disagrees.
  private(set) var value: Double?

  init(windows: Int, agreement: Double) {
    (wanted, self.agreement) = (windows, agreement)
  }

  /// Adds the value of a window.
  mutating func add(_ new: Double) {
    guard new > 0, new.isFinite else { return }
    let isNear = newest.map { max(new / $0, $0 / new) < agreement } ?? false
    run = isNear ? run + 1 : 1
    newest = new
    value = run >= wanted ? new : nil
  }
}
