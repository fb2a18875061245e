/// Whether windows agree on the size of something.
struct ScaleEvidence: Sendable {
  /// Windows in a row that must agree.
  private let wanted: Int
  /// Largest ratio of windows that agree.
  private let agreement: Double
  private var newest: Double?
  private var run = 0
  /// Windows in a row that do not agree with `value`.
  private var contrary = 0

  /// What the windows agree on; nil before enough do, and after as many that do not.
  private(set) var value: Double?

  init(windows: Int, agreement: Double) {
    (wanted, self.agreement) = (windows, agreement)
  }

  /// Adds the value of a window.
  mutating func add(_ new: Double) {
    guard new > 0, new.isFinite else { return }
    run = isNear(new, newest) ? run + 1 : 1
    newest = new
    if run >= wanted {
      (value, contrary) = (new, 0)
    } else {
      contrary = isNear(new, value) ? 0 : contrary + 1
      if contrary >= wanted { value = nil }
    }
  }

  private func isNear(_ a: Double, _ b: Double?) -> Bool {
    b.map { max(a / $0, $0 / a) < agreement } ?? false
  }
}
