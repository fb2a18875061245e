import Quantities

/// A course to steer, relative to one north.
public struct CourseToSteer: Equatable, Sendable {
  /// The course, 0 up to 360 degrees.
  public private(set) var degrees: Double
  /// The north of the course.
  public let north: CompassScreen.North

  /// Makes a course; nil for a number that is not finite.
  public init?(degrees: Double, north: CompassScreen.North) {
    guard degrees.isFinite else { return nil }
    // In degrees: a course of whole degrees stays one.
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    self.degrees = rest < 0 ? rest + 360 : rest
    self.north = north
  }

  /// Reads `270`, `270M` or `270T` (true north), 0 to 360.
  public init?(_ text: String) {
    let suffix = text.last?.uppercased()
    let isNamed = suffix == "T" || suffix == "M"
    guard let degrees = Double(isNamed ? String(text.dropLast()) : text),
      (0...360).contains(degrees)
    else { return nil }
    self.init(degrees: degrees, north: suffix == "T" ? .true : .magnetic)
  }

  /// The course with a change, degrees.
  func changed(by change: Double) -> CourseToSteer? {
    CourseToSteer(degrees: degrees + change, north: north)
  }
}
