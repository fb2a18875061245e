import RealModule

/// Whether a quantity has the size that physics requires: by windows that agree with each other.
struct ScaleEvidence: Equatable, Sendable {
  /// Windows in a row that must agree.
  private let wanted: Int
  /// Largest ratio of windows that agree.
  private let agreement: Double
  private var newest: Double?
  private var run = 0

  /// What the windows say: the true value by the measured one, about 1 where they agree with physics; nil before enough agree.
  private(set) var factor: Double?

  init(windows: Int, agreement: Double) {
    (wanted, self.agreement) = (windows, agreement)
  }

  /// Adds the factor of a window; nil for one that says nothing.
  mutating func add(_ value: Double?) {
    guard let value, value > 0, value.isFinite else { return }
    let isNear = newest.map { max(value / $0, $0 / value) < agreement } ?? false
    run = isNear ? run + 1 : 1
    newest = value
    if run >= wanted { factor = value }
  }
}
