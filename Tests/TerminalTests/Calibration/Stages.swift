import CalibrationFit
import Quantities
import Terminal

/// Progress as it may be at four stages of a calibration by hand.
enum Stages {
  static let text = CalibrationSessionText(sensor: "LIS3MDL", board: "Pi bench")

  /// Two seconds in, nothing fitted yet.
  static var still: CalibrationProgress {
    var progress = CalibrationProgress()
    progress.seconds = 2
    progress.tiltNow = (0, 3)
    return progress
  }

  /// Level, less than half a turn done.
  static var turning: CalibrationProgress {
    var progress = CalibrationProgress()
    progress.seconds = 17.9
    progress.observationCount = 64
    for bin in 0..<15 { progress.ring.visits[bin] = 4 }
    for bin in 0..<LevelRing.bins {
      progress.ring.error[bin] = radians(bin < 16 ? 3.5 : bin < 24 ? 8 : 12)
    }
    for column in 0..<9 { progress.sphere.visits[column] = 3 }
    fill(&progress) { row, _ in 4 + 9 * Double(row) }
    progress.tiltNow = (0, 4)
    progress.bearingNow = 14
    progress.worstError = Angle(degrees: 16.2)
    progress.levelError = Angle(degrees: 12)
    progress.quality = .poor
    progress.advice = .turnLevel(missing: Angle(degrees: 118))
    return progress
  }

  /// The level turn and the right side done.
  static var tilting: CalibrationProgress {
    var progress = CalibrationProgress()
    progress.seconds = 52
    progress.observationCount = 231
    for bin in 0..<33 { progress.ring.visits[bin] = 4 }
    progress.ring.error = Array(repeating: radians(1.4), count: LevelRing.bins)
    fill(&progress) { row, column in
      let rise = (2...8).contains(column) ? 0.6 : 1.9
      return 1.2 + Double(row) * rise * (row > 6 ? 2 : 1)
    }
    for row in 0..<5 {
      for column in 0..<TiltSphere.columns {
        let isRight = (2...8).contains(column) && (column + row) % 3 != 0
        guard row == 0 || isRight || (row == 1 && column > 10) else { continue }
        progress.sphere.visits[row * TiltSphere.columns + column] = 2
      }
    }
    progress.tiltNow = (3, 6)
    progress.worstError = Angle(degrees: 4.4)
    progress.levelError = Angle(degrees: 1.4)
    progress.quality = .fair
    progress.advice = .tilt(down: .left)
    return progress
  }

  /// As good as it gets.
  static var done: CalibrationProgress {
    var progress = CalibrationProgress()
    progress.seconds = 128
    progress.observationCount = 512
    progress.ring.visits = Array(repeating: 4, count: LevelRing.bins)
    progress.ring.error = Array(repeating: radians(1.1), count: LevelRing.bins)
    fill(&progress) { row, _ in 1.1 + 0.3 * Double(row) }
    for index in progress.sphere.visits.indices where index < 36 || index % 5 != 0 {
      progress.sphere.visits[index] = 3
    }
    progress.tiltNow = (0, 11)
    progress.bearingNow = 3
    progress.worstError = Angle(degrees: 1.7)
    progress.levelError = Angle(degrees: 1.1)
    progress.quality = .good
    progress.advice = .done
    return progress
  }

  /// Every number is not a number.
  static var poisoned: CalibrationProgress {
    var progress = turning
    progress.seconds = .nan
    progress.sphere.error = progress.sphere.error.map { _ in .nan }
    progress.ring.error = progress.ring.error.map { _ in .infinity }
    progress.worstError = Angle(radians: .nan)
    progress.levelError = Angle(radians: -.infinity)
    progress.quality = .uncalibrated
    progress.advice = .turnLevel(missing: Angle(radians: .nan))
    return progress
  }

  static var all: [CalibrationProgress] { [still, turning, tilting, done, poisoned] }

  private static func fill(_ progress: inout CalibrationProgress, _ degrees: (Int, Int) -> Double) {
    for row in 0..<TiltSphere.rows {
      for column in 0..<TiltSphere.columns {
        progress.sphere.error[row * TiltSphere.columns + column] = radians(degrees(row, column))
      }
    }
  }

  private static func radians(_ degrees: Double) -> Double { Angle(degrees: degrees).radians }
}
