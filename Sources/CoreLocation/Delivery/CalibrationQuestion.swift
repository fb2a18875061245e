package import Quantities

/// When a program is asked whether the calibration display may appear.
///
/// It is asked at the first heading after the service has started with a magnetometer that lacks a
/// usable calibration, again when a usable one is lost, and when strength or inclination of the field have
/// changed markedly. Calibration goes on whatever the answer.
package struct CalibrationQuestion {
  /// True from a yes until the magnetometer is calibrated or the program dismisses the display.
  package private(set) var isDisplayed = false

  private var wasUsable = true
  private var change = MarkedFieldChange()

  /// Makes a question that was never asked.
  package init() {}

  /// Takes an estimate; true where the program is to be asked now.
  package mutating func isDue(_ estimate: Estimate) -> Bool {
    let isChanged = change.isMarked(estimate)
    return isDue(estimate.calibration) || isChanged && !isDisplayed
  }

  /// Takes the state of an estimate; true where the program is to be asked now.
  package mutating func isDue(_ state: CalibrationState?) -> Bool {
    guard let state else { return false }
    let isUsable = state != .uncalibrated && state != .poor
    defer { wasUsable = isUsable }
    if isUsable { isDisplayed = false }
    return wasUsable && !isUsable && !isDisplayed
  }

  /// Takes the program's answer.
  package mutating func answer(_ display: Bool) { isDisplayed = display }

  /// Ends the display.
  package mutating func dismiss() { isDisplayed = false }
}
