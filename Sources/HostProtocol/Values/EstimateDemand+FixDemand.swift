public import Monitoring

extension EstimateDemand {
  /// Seconds between fixes for the declination, if only headings are requested.
  private static let forHeadings = 300.0
  /// The desired accuracy from which on the coarse place of reduced accuracy is sufficient, metres:
  /// `kCLLocationAccuracyReduced`.
  private static let reducedAccuracy = 6_380_000.0
  /// The greatest interval between two fixes, seconds: one day.
  private static let longest = 86_400.0

  /// The fixes that the receiver has to report for the demand.
  ///
  /// A desired accuracy of 1000 m or more lets the receiver sleep for the time in which a car at 60
  /// km/h leaves the circle: 60 s; 180 s from 3000 m on; 900 s for `kCLLocationAccuracyReduced`.
  /// Headings alone need an occasional position for the declination.
  public var fixDemand: FixDemand {
    guard fixes else { return headings ? .every(seconds: Self.forHeadings) : .none }
    let byAccuracy: Double =
      switch desiredAccuracyMetres ?? 0 {
      case ..<1000: 0
      case ..<3000: 60
      case ..<Self.reducedAccuracy: 180
      default: 900
      }
    let seconds = min(max(byAccuracy, fixInterval ?? 0), Self.longest)
    return seconds > 1 ? .every(seconds: seconds) : .continuous
  }

  /// The interval of the demand's fixes, seconds; 0 for all that the receiver reports, and for none.
  package var secondsBetweenFixes: Double {
    if case .every(let seconds) = fixDemand { seconds } else { 0 }
  }
}
