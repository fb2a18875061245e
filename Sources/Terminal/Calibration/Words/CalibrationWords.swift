import CalibrationFit
import Quantities

/// A calibration's progress as text for users, in Unicode or in ASCII.
public struct CalibrationWords: Sendable {
  private let figures: Figures

  /// Selects the characters; in compact ASCII the degree sign is one letter.
  public init(isASCII: Bool, isCompact: Bool = false) {
    figures = Figures(isASCII: isASCII, isCompact: isCompact)
  }

  /// The next step, as a sentence.
  public func advice(_ progress: CalibrationProgress) -> String {
    switch progress.advice {
    case .holdStill: "Let it lie still for a few seconds."
    case .turnLevel(let missing): turnLevel(missing, progress)
    case .tilt(.down): "Hold it upright and turn it all the way round."
    case .tilt(.up), .turnOver: "Turn it upside down, if it can be, and turn it round there."
    case .tilt(let side): "Tilt it \(Self.sideWords(side)) and turn it all the way round."
    case .slower: "Turn it more slowly."
    case .leaveDisturbance: "Iron or a magnet is near: go away from it and go on there."
    case .done: "Done: more turning makes it no better."
    }
  }

  /// The next step of a board that was never tilted and may be for level use only.
  func tiltOrLevel(_ side: AxisDirection) -> String {
    "Tilt it \(Self.sideWords(side)) and turn round, or press s: level use only."
  }

  private func turnLevel(_ missing: Angle, _ progress: CalibrationProgress) -> String {
    let side: String? =
      switch TurnTarget(progress).arrow {
      case .left: "left"
      case .right: "right"
      case .forward, .backward, nil: nil
      }
    let order = side.map { "Keep it level and turn it \($0)" } ?? "Lay it level and turn it round"
    // Rounded up to ten degrees, the resolution of the ring.
    guard let tens = FixedPoint((missing.degrees / 10).rounded(.up), decimals: 0), tens.count > 0
    else { return order + "." }
    return "\(order): \(tens.text)0\(figures.degree) still missing."
  }

  /// The lowest side.
  static func sideWords(_ side: AxisDirection) -> String {
    switch side {
    case .forward: "nose down"
    case .backward: "tail down"
    case .right: "right side down"
    case .left: "left side down"
    case .down: "upright"
    case .up: "upside down"
    }
  }

  /// The advice's name in machine-readable output.
  public static func name(_ advice: CalibrationAdvice) -> String {
    switch advice {
    case .holdStill: "holdStill"
    case .turnLevel: "turnLevel"
    case .tilt: "tilt"
    case .turnOver: "turnOver"
    case .slower: "slower"
    case .leaveDisturbance: "leaveDisturbance"
    case .done: "done"
    }
  }

  /// The expected error of a class for a use.
  public func meaning(_ quality: ErrorClass, for use: CalibrationUse = .anyAttitude) -> String {
    let headings = use == .level ? "level headings" : "headings"
    return switch quality {
    case .good: "95 of 100 \(headings) within about 3\(figures.degree)"
    case .fair: "95 of 100 \(headings) within about 5\(figures.degree)"
    case .poor: "\(headings) may be 10 to 20\(figures.degree) off"
    case .unknown: "the heading error is not known yet"
    }
  }

  /// The use of a calibration.
  public func name(_ use: CalibrationUse) -> String {
    switch use {
    case .anyAttitude: "any tilt"
    case .level: "level use"
    }
  }

  /// A class in one or two words.
  public func name(_ quality: ErrorClass) -> String {
    quality == .unknown ? "not known" : quality.rawValue
  }

  /// A predicted error; a dash if unknown, the limit if too large.
  public func error(_ angle: Angle?) -> String {
    guard let angle, let text = figures.number(angle.degrees, decimals: 1), angle.radians >= 0
    else { return figures.unknown }
    return ErrorClass(oneSigma: angle) == .unknown
      ? "over 25\(figures.degree)" : text + figures.degree
  }

  /// The degree sign behind an angle.
  var degree: String { figures.degree }

  /// A predicted error for large digits.
  func digits(_ angle: Angle?) -> String {
    angle.flatMap { figures.number($0.degrees, decimals: 1) }.map { $0 + "°" } ?? "---"
  }

  /// Minutes and seconds.
  public func time(_ seconds: Double) -> String {
    guard let cut = FixedPoint(seconds.rounded(.down), decimals: 0) else { return figures.unknown }
    let whole = max(0, cut.count)
    return "\(whole / 60):" + FixedPoint.zeroPadded(whole % 60, width: 2)
  }

  /// A share of one in percent.
  public func percent(_ share: Double) -> String {
    (figures.number(share * 100, decimals: 0) ?? figures.unknown) + " %"
  }

  /// An angle in whole degrees.
  public func wholeDegrees(_ angle: Angle) -> String {
    (figures.number(angle.degrees, decimals: 0) ?? figures.unknown) + figures.degree
  }
}
