import Quantities

/// A client's demand for estimates; a new demand replaces the previous one.
public struct EstimateDemand: Codable, Equatable, Sendable {
  /// True to receive every fix.
  public var fixes: Bool
  /// True to receive headings; a slow reader receives only the newest.
  public var headings: Bool
  /// True to receive magnetic headings, without place and field, also without the authorization
  /// where the policy permits it (`GrantedAccess.headings`); nil is false.
  public var magneticHeadings: Bool?
  /// Least interval between two headings, seconds; nil for every heading.
  public var headingInterval: Double?
  /// Sufficient interval between two fixes, seconds; nil for every fix of the receiver. It lets the
  /// receiver sleep; every fix that the receiver reports is delivered.
  public var fixInterval: Double?
  /// Required accuracy of a fix, metres; nil for the best one. A coarse accuracy lets the receiver
  /// sleep longer.
  public var desiredAccuracyMetres: Double?
  /// The kind of motion, for the receiver's motion model: a word of `Activity`; nil and an unknown
  /// word are `other`.
  public var activity: String?

  /// Makes a demand.
  public init(
    fixes: Bool = false, headings: Bool = false, headingInterval: Double? = nil,
    fixInterval: Double? = nil, desiredAccuracyMetres: Double? = nil
  ) {
    self.fixes = fixes
    self.headings = headings
    self.headingInterval = headingInterval
    self.fixInterval = fixInterval
    self.desiredAccuracyMetres = desiredAccuracyMetres
  }

  /// The kind of motion.
  public var motion: Activity {
    get { activity.flatMap(Activity.init) ?? .other }
    set { activity = newValue == .other ? nil : newValue.rawValue }
  }

  /// No estimates.
  public static var none: EstimateDemand { EstimateDemand() }
  /// Every estimate.
  public static var all: EstimateDemand { EstimateDemand(fixes: true, headings: true) }
  /// True if no estimates are requested.
  public var isEmpty: Bool { !fixes && !headings }
}

extension Activity {
  /// The one kind of motion of several receivers of fixes. A client without one does not count; of
  /// two different ones neither can be right for both.
  package static func common(of activities: Set<Activity>) -> Activity {
    let known = activities.subtracting([.other])
    return known.count == 1 ? known.first ?? .other : .other
  }
}
