package import Quantities

/// Decides when a program is asked whether the calibration display may appear.
///
/// It is asked at the first heading without a usable calibration, when a usable calibration is
/// lost, and when the strength or inclination of the field has changed markedly. Calibration
/// continues independent of the answer.
package struct CalibrationQuestion {
  /// True from the answer true until the magnetometer is calibrated or the program dismisses the
  /// display.
  package private(set) var isDisplayed = false

  private var wasUsable = true
  private var change = MarkedFieldChange()

  /// Makes a question that was not asked yet.
  package init() {}

  /// Processes an estimate; true if the program is to be asked now.
  package mutating func isDue(_ estimate: Estimate) -> Bool {
    let isChanged = change.isMarked(estimate)
    return isDue(estimate.calibration) || isChanged && !isDisplayed
  }

  /// Processes the calibration state of an estimate; true if the program is to be asked now.
  package mutating func isDue(_ state: CalibrationState?) -> Bool {
    guard let state else { return false }
    let isUsable = state != .uncalibrated && state != .poor
    defer { wasUsable = isUsable }
    if isUsable { isDisplayed = false }
    return wasUsable && !isUsable && !isDisplayed
  }

  /// Stores the program's answer.
  package mutating func answer(_ display: Bool) { isDisplayed = display }

  /// Ends the display.
  package mutating func dismiss() { isDisplayed = false }
}
