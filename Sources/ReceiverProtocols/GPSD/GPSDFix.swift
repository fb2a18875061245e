import JSON
import Quantities

/// The values of TPV objects of one instant.
///
/// - Source: gpsd_json(5) of gpsd 3.22, table "TPV object", and of 3.25, whose `status` also has 0
///   and 1. Daemons before 3.20 send `alt`, `epx` and `epy` in the place of `altMSL` and `eph`.
struct GPSDFix: Equatable, Sendable {
  /// 0 not known, 1 no fix, 2 position, 3 position and altitude.
  var mode = 0
  var status: Int?
  var utc: UTCTime?
  var latitudeDegrees: Double?
  var longitudeDegrees: Double?
  var ellipsoidalAltitude: Double?
  var altitude: Double?
  /// `alt`: above mean sea level from daemons before 3.20, else a copy of one of the two others.
  var oldAltitude: Double?
  var separation: Double?
  var horizontalError: Double?
  var eastError: Double?
  var northError: Double?
  var verticalError: Double?
  var trackDegrees: Double?
  var magneticTrackDegrees: Double?
  var speed: Double?
  var climb: Double?
  var variationDegrees: Double?
  /// The daemon does not document the confidence of this and the next error.
  var speedError: Double?
  var trackErrorDegrees: Double?
  var (northVelocity, eastVelocity, downVelocity): (Double?, Double?, Double?)
  var correctionAge: Double?

  /// Adds the values of an earlier report of the same instant. A daemon reports an instant in
  /// several pieces; a value that a later piece omits remains valid.
  mutating func add(_ earlier: GPSDFix) {
    mode = max(mode, earlier.mode)
    status = status ?? earlier.status
    latitudeDegrees = latitudeDegrees ?? earlier.latitudeDegrees
    longitudeDegrees = longitudeDegrees ?? earlier.longitudeDegrees
    ellipsoidalAltitude = ellipsoidalAltitude ?? earlier.ellipsoidalAltitude
    altitude = altitude ?? earlier.altitude
    oldAltitude = oldAltitude ?? earlier.oldAltitude
    separation = separation ?? earlier.separation
    horizontalError = horizontalError ?? earlier.horizontalError
    eastError = eastError ?? earlier.eastError
    northError = northError ?? earlier.northError
    verticalError = verticalError ?? earlier.verticalError
    trackDegrees = trackDegrees ?? earlier.trackDegrees
    magneticTrackDegrees = magneticTrackDegrees ?? earlier.magneticTrackDegrees
    speed = speed ?? earlier.speed
    climb = climb ?? earlier.climb
    variationDegrees = variationDegrees ?? earlier.variationDegrees
    speedError = speedError ?? earlier.speedError
    trackErrorDegrees = trackErrorDegrees ?? earlier.trackErrorDegrees
    northVelocity = northVelocity ?? earlier.northVelocity
    eastVelocity = eastVelocity ?? earlier.eastVelocity
    downVelocity = downVelocity ?? earlier.downVelocity
    correctionAge = correctionAge ?? earlier.correctionAge
  }

  /// True where there is a position.
  var hasPlace: Bool { latitudeDegrees != nil && longitudeDegrees != nil }

  /// The kind of the fix.
  ///
  /// A fix by satellites and motion sensors (6), of a surveyed antenna (7) and by the military code
  /// (9) counts as a satellite fix; `deadReckoning` is a fix without satellites.
  var kind: FixKind {
    guard mode >= 2, hasPlace else { return .none }
    return switch status {
    case 2: .differential
    case 3: .rtkFixed
    case 4: .rtkFloat
    case 5: .deadReckoning
    case 8: .simulated
    default: mode == 2 ? .twoDimensional : .threeDimensional
    }
  }

  /// Altitude above mean sea level, metres. Where the daemon sends both altitudes, `alt` copies one
  /// of them.
  var seaAltitude: Double? {
    if let altitude { return altitude }
    if let ellipsoidalAltitude { return separation.map { ellipsoidalAltitude - $0 } }
    return oldAltitude
  }
}

extension GPSDFix {
  /// Reads the fields of an object that is known to be complete.
  init(_ reader: inout JSONReader) {
    guard reader.beginObject() else { return }
    let (turn, any) = (0.0...360.0, 0.0...Double.greatestFiniteMagnitude)
    while let key = reader.nextKey() {
      if key.is("mode") {
        mode = reader.integer() ?? mode
      } else if key.is("status") {
        status = reader.integer()
      } else if key.is("time") {
        utc = reader.time()
      } else if key.is("lat") {
        latitudeDegrees = reader.number(in: -90...90)
      } else if key.is("lon") {
        longitudeDegrees = reader.number(in: -180...180)
      } else if key.is("altHAE") {
        ellipsoidalAltitude = reader.number()
      } else if key.is("altMSL") {
        altitude = reader.number()
      } else if key.is("alt") {
        oldAltitude = reader.number()
      } else if key.is("geoidSep") {
        separation = reader.number()
      } else if key.is("eph") {
        horizontalError = reader.number(in: any)
      } else if key.is("epx") {
        eastError = reader.number(in: any)
      } else if key.is("epy") {
        northError = reader.number(in: any)
      } else if key.is("epv") {
        verticalError = reader.number(in: any)
      } else if key.is("track") {
        trackDegrees = reader.number(in: turn)
      } else if key.is("magtrack") {
        magneticTrackDegrees = reader.number(in: turn)
      } else if key.is("speed") {
        speed = reader.number(in: any)
      } else if key.is("climb") {
        climb = reader.number()
      } else if key.is("magvar") {
        variationDegrees = reader.number(in: -180...180)
      } else if key.is("eps") {
        speedError = reader.number(in: any)
      } else if key.is("epd") {
        trackErrorDegrees = reader.number(in: any)
      } else if key.is("velN") {
        northVelocity = reader.number()
      } else if key.is("velE") {
        eastVelocity = reader.number()
      } else if key.is("velD") {
        downVelocity = reader.number()
      } else if key.is("dgpsAge") {
        correctionAge = reader.number(in: any)
      } else {
        reader.skip()
      }
    }
  }
}
