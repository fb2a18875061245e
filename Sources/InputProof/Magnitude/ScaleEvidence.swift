/// Whether windows agree on the size of something that does not change: what many windows have
/// agreed on is not overturned by a few.
struct ScaleEvidence: Sendable {
  /// Windows in a row that must agree.
  private let wanted: Int
  /// Largest ratio of windows that agree.
  private let agreement: Double
  private var newest: Double?
  private var run = 0
  /// Windows that agreed with `value`, less those that did not; at most `largestSupport` times
  /// `wanted`.
  private var support = 0
  private static let largestSupport = 5

  /// The mean of the windows that agree; nil before enough agree, and once disagreeing ones have
  /// used up the support.
  private(set) var value: Double?

  init(windows: Int, agreement: Double) {
    (wanted, self.agreement) = (windows, agreement)
  }

  /// Adds the value of a window.
  mutating func add(_ new: Double) {
    guard new > 0, new.isFinite else { return }
    run = isNear(new, newest) ? run + 1 : 1
    newest = new
    if let old = value {
      if isNear(new, old) {
        support = min(support + 1, Self.largestSupport * wanted)
        value = old + (new - old) / Double(support)
      } else {
        support -= 1
        if support == 0 { value = nil }
      }
    }
    if value == nil, run >= wanted { (value, support) = (new, wanted) }
  }

  private func isNear(_ a: Double, _ b: Double?) -> Bool {
    b.map { max(a / $0, $0 / a) < agreement } ?? false
  }
}
