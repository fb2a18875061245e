public import Monitoring

extension EstimateDemand {
  /// Seconds between fixes that keep the declination right for headings alone.
  private static let forHeadings = 300.0
  /// The longest time between two fixes, seconds: whatever a client asks for, a day.
  private static let longest = 86_400.0

  /// How often the receiver has to report a fix for the demand.
  ///
  /// A desired accuracy of 1000 m or more lets the receiver sleep for as long as a car takes to leave the circle at
  /// 60 km/h: 60 s, 180 s from 3000 m on, 900 s for the largest finite number. Headings alone need a place now and
  /// then, for true north.
  public var fixDemand: FixDemand {
    guard fixes else { return headings ? .every(seconds: Self.forHeadings) : .none }
    let byAccuracy: Double =
      switch desiredAccuracyMetres ?? 0 {
      case ..<1000: 0
      case ..<3000: 60
      case ..<Double.greatestFiniteMagnitude: 180
      default: 900
      }
    let seconds = min(max(byAccuracy, fixInterval ?? 0), Self.longest)
    return seconds > 1 ? .every(seconds: seconds) : .continuous
  }
}
