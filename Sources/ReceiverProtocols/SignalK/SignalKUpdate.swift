import JSON
import Quantities

/// The values of one update of a delta: one source's, of one instant.
///
/// - Source: Signal K specification 1.7.0, schemas `delta.json` and `groups/navigation.json`. SI
///   units: radians, metres, metres per second.
struct SignalKUpdate {
  /// A value, or null for one that is not valid any more; nil where the update has none.
  typealias Value<Content> = Content??

  /// A position with its altitude.
  struct Place: Equatable, Sendable {
    var position: GeodeticPosition
    var altitudeMetres: Double?
  }

  var position: Value<Place> = nil
  var speed: Value<Double> = nil
  var course: Value<Angle> = nil
  var datetime: Value<UTCTime> = nil
  var kind: Value<FixKind> = nil
  var satellites: Value<Int> = nil
  var horizontalDilution: Value<Double> = nil
  var positionDilution: Value<Double> = nil
  var altitude: Value<Double> = nil
  var separation: Value<Double> = nil
  var correctionAge: Value<Double> = nil
  var variation: Value<Angle> = nil
  var magneticHeading: Value<Angle> = nil
  var trueHeading: Value<Angle> = nil
  var rateOfTurn: Value<Double> = nil

  /// Possible values: angles in radians of any turn, altitudes and speeds of aircraft.
  private static let (angles, altitudes, speeds) = (-7.0...7.0, -20_000.0...100_000.0, 0.0...1000.0)
  private static let (dilutions, ages, rates) = (0.0...1000.0, 0.0...86_400.0, -100.0...100.0)

  /// Adds the value of a path; others are skipped.
  mutating func add(_ path: JSONText, _ reader: inout JSONReader) {
    func number(_ range: ClosedRange<Double>) -> Value<Double> {
      Self.isNull(&reader) ? .some(nil) : reader.number(in: range).map(Optional.some)
    }
    func angle() -> Value<Angle> {
      number(Self.angles).map { $0.map { Angle(radians: $0).wrappedToTurn } }
    }
    if path.is("navigation.position") {
      position = Self.isNull(&reader) ? .some(nil) : Self.place(&reader).map(Optional.some)
    } else if path.is("navigation.speedOverGround") {
      speed = number(Self.speeds)
    } else if path.is("navigation.courseOverGroundTrue") {
      course = angle()
    } else if path.is("navigation.datetime") {
      datetime = Self.isNull(&reader) ? .some(nil) : reader.time().map(Optional.some)
    } else if path.is("navigation.gnss.methodQuality") {
      kind = Self.isNull(&reader) ? .some(nil) : Self.kind(&reader)
    } else if path.is("navigation.gnss.satellites") {
      satellites = number(0...255).map { $0.map { Int(bounded: $0) } }
    } else if path.is("navigation.gnss.horizontalDilution") {
      horizontalDilution = number(Self.dilutions)
    } else if path.is("navigation.gnss.positionDilution") {
      positionDilution = number(Self.dilutions)
    } else if path.is("navigation.gnss.antennaAltitude") {
      altitude = number(Self.altitudes)
    } else if path.is("navigation.gnss.geoidalSeparation") {
      separation = number(-200...200)
    } else if path.is("navigation.gnss.differentialAge") {
      correctionAge = number(Self.ages)
    } else if path.is("navigation.magneticVariation") {
      variation = number(Self.angles).map { $0.map { Angle(radians: $0).wrappedToHalfTurn } }
    } else if path.is("navigation.headingMagnetic") {
      magneticHeading = angle()
    } else if path.is("navigation.headingTrue") {
      trueHeading = angle()
    } else if path.is("navigation.rateOfTurn") {
      rateOfTurn = number(Self.rates)
    } else {
      reader.skip()
    }
  }

  /// True where it has a value of a fix.
  var hasFixValues: Bool {
    position != nil || speed != nil || course != nil || datetime != nil || kind != nil
      || satellites != nil || horizontalDilution != nil || positionDilution != nil
      || altitude != nil || separation != nil || correctionAge != nil || variation != nil
  }

  /// The report of the headings; nil without one.
  func headingReport(at timestamp: Timestamp) -> HeadingReport? {
    let report = HeadingReport(
      timestamp: timestamp, trueHeading: (trueHeading ?? nil).map { TrueHeading($0) },
      magneticHeading: (magneticHeading ?? nil).map { MagneticHeading($0) },
      rateOfTurn: (rateOfTurn ?? nil).map { AngularSpeed(radiansPerSecond: $0) })
    return report.hasHeading ? report : nil
  }

  /// Skips a null.
  private static func isNull(_ reader: inout JSONReader) -> Bool {
    guard reader.peek() == UInt8(ascii: "n") else { return false }
    reader.skip()
    return true
  }

  /// Degrees; nil where one of the two is missing or impossible.
  private static func place(_ reader: inout JSONReader) -> Place? {
    guard reader.beginObject() else { return nil }
    var (latitude, longitude, altitude): (Double?, Double?, Double?)
    while let key = reader.nextKey() {
      if key.is("latitude") {
        latitude = reader.number(in: -90...90)
      } else if key.is("longitude") {
        longitude = reader.number(in: -180...180)
      } else if key.is("altitude"), !isNull(&reader) {
        altitude = reader.number(in: altitudes)
      } else if !key.is("altitude") {
        reader.skip()
      }
    }
    guard let latitude, let longitude else { return nil }
    return Place(
      position: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude),
      altitudeMetres: altitude)
  }

  /// A fix that the server does not describe further has three dimensions with an altitude, else
  /// two (`SignalKSource`). A position entered by hand counts as simulated, as in NMEA 0183.
  private static func kind(_ reader: inout JSONReader) -> Value<FixKind> {
    guard let name = reader.text() else { return nil }
    let kinds: [(StaticString, FixKind)] = [
      ("no GPS", .none), ("Error", .none), ("DGNSS fix", .differential),
      ("DGNSS Fix", .differential), ("RTK fixed integer", .rtkFixed), ("RTK float", .rtkFloat),
      ("Estimated (DR) mode", .deadReckoning), ("Manual input", .simulated),
      ("Simulator mode", .simulated),
    ]
    return kinds.first { name.is($0.0) }?.1 ?? .threeDimensional
  }
}
