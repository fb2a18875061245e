import Quantities

/// What a TPV object says of one instant.
///
/// - Source: gpsd_json(5) of gpsd 3.22, table "TPV object", and of 3.25, whose `status` has 0 and 1 too.
///   Daemons before 3.20 send `alt`, `epx` and `epy` in the place of `altMSL` and `eph`.
struct GPSDFix: Equatable, Sendable {
  /// 0 not known, 1 no fix, 2 place, 3 place and altitude.
  var mode = 0
  var status: Int?
  var utc: UTCTime?
  var latitudeDegrees: Double?
  var longitudeDegrees: Double?
  var ellipsoidalAltitude: Double?
  var altitude: Double?
  /// `alt`: above the sea where the daemon is old, else a copy of one of the two others.
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
  /// The daemon calls the certainty of this and the next unknown.
  var speedError: Double?
  var trackErrorDegrees: Double?
  var (northVelocity, eastVelocity, downVelocity): (Double?, Double?, Double?)
  var correctionAge: Double?

  /// Takes what another report of the same instant says too: a daemon tells an instant piece by piece, and
  /// what a later piece leaves out still holds.
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

  /// True where there is a place.
  var hasPlace: Bool { latitudeDegrees != nil && longitudeDegrees != nil }

  /// What the place rests on.
  ///
  /// A fix of satellites and motion together (6), of a surveyed antenna (7) and of the military code (9) is
  /// a fix of satellites; `deadReckoning` is one that satellites do not make.
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

  /// Above the sea. Where the daemon gives both heights `alt` is a copy of one of them.
  var seaAltitude: Double? {
    if let altitude { return altitude }
    if let ellipsoidalAltitude { return separation.map { ellipsoidalAltitude - $0 } }
    return oldAltitude
  }
}

extension GPSDFix {
  /// Reads the object's fields; it was found to be whole.
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
        reader.pass()
      }
    }
  }
}
