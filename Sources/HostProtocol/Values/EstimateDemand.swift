/// What a client wants of the estimates; each demand takes the place of the one before.
public struct EstimateDemand: Codable, Equatable, Sendable {
  /// Every fix, none left out.
  public var fixes: Bool
  /// Headings: the newest wins.
  public var headings: Bool
  /// Seconds between two headings at least; nil for every one.
  public var headingInterval: Double?
  /// Seconds between two fixes that suffice; nil for every one that the receiver makes. It says how long the
  /// receiver may sleep: every fix that it makes all the same is delivered.
  public var fixInterval: Double?
  /// How exact a fix has to be, metres; nil for as exact as it can be. The receiver may sleep longer where
  /// it is coarse.
  public var desiredAccuracyMetres: Double?

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

  /// Nothing.
  public static var none: EstimateDemand { EstimateDemand() }
  /// Every estimate.
  public static var all: EstimateDemand { EstimateDemand(fixes: true, headings: true) }
  /// True where nothing is wanted.
  public var isEmpty: Bool { !fixes && !headings }
}
