import CalibrationFit
import Terminal

/// A calibration that a test controls; it records the calls.
final class ScriptedCalibration: CalibrationSource {
  /// Why a script cannot save.
  struct Refusal: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  typealias Failure = Refusal

  var current: CalibrationProgress
  var found: [CalibrationFinding] = []
  var reasonForEnd: String?
  var refusal: Refusal?
  private(set) var calls: [String] = []

  init(_ progress: CalibrationProgress) { current = progress }

  func progress() -> CalibrationProgress { current }
  func findings() -> [CalibrationFinding] { found }
  func end() -> String? { reasonForEnd }
  func undo(seconds: Double) { calls.append("undo \(seconds)") }
  func restart() {
    calls.append("restart")
    current = CalibrationProgress()
  }
  func pause(_ isPaused: Bool) { calls.append(isPaused ? "pause" : "go on") }
  func finish() throws(Refusal) -> String {
    calls.append("finish")
    if let refusal { throw refusal }
    return "saved as number 3"
  }
}
