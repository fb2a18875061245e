import Quantities

/// A device of an NMEA 2000 bus and its newest values, which are never joined with those of another
/// device.
struct NMEA2000Source: Sendable {
  /// A value and its arrival.
  private struct Held<Content: Sendable>: Sendable {
    private var newest: (content: Content, arrival: Timestamp)?

    /// Time after which a value is no longer valid, s: the slowest of these messages comes every
    /// second.
    private static var lifetime: Double { 2.5 }

    mutating func set(_ content: Content?, at now: Timestamp) {
      newest = content.map { ($0, now) }
    }

    func value(at now: Timestamp) -> Content? {
      newest.flatMap { now.seconds(since: $0.arrival) <= Self.lifetime ? $0.content : nil }
    }
  }

  /// When its first message arrived.
  let begin: Timestamp
  private var (speed, course, magneticCourse) = (Held<Double>(), Held<Angle>(), Held<Angle>())
  private var variation = Held<Angle>()
  private var (rate, pitch, roll) = (Held<AngularSpeed>(), Held<Angle>(), Held<Angle>())
  private var heave = Held<Double>()
  /// Set while the device sends PGN 129029, which has what 129025 lacks.
  private var complete = Held<Bool>()

  init(begin: Timestamp) { self.begin = begin }

  /// Adds a message.
  /// - Returns: The report that it completes; nil for none.
  mutating func add(_ message: PGNMessage, at now: Timestamp) -> ReceiverReport? {
    switch message.pgn {
    case .rateOfTurn:
      rate.set(message[.rate].map { AngularSpeed(radiansPerSecond: $0) }, at: now)
    case .heave: heave.set(message[.heave], at: now)
    case .attitude:
      pitch.set(message.angle(.pitch), at: now)
      roll.set(message.angle(.roll), at: now)
    case .variation: variation.set(message.angle(.variation), at: now)
    case .courseAndSpeed:
      let isMagnetic = message[code: .reference] == PGN.Code.magneticNorth
      let isTrue = message[code: .reference] == PGN.Code.trueNorth
      let angle = message.angle(.course)?.wrappedToTurn
      course.set(isTrue ? angle : nil, at: now)
      magneticCourse.set(isMagnetic ? angle : nil, at: now)
      speed.set(message[.speed], at: now)
    case .heading: return heading(message, at: now).map { .heading($0) }
    case .gnssPosition:
      complete.set(true, at: now)
      return .epoch(epoch(message, at: now))
    case .position where complete.value(at: now) == nil:
      return .epoch(epoch(message, at: now))
    default: break
    }
    return nil
  }

  /// The heading, with its deviation and variation applied.
  private func heading(_ message: PGNMessage, at now: Timestamp) -> HeadingReport? {
    guard let sensor = message.angle(.heading) else { return nil }
    var report = HeadingReport(timestamp: now, rateOfTurn: rate.value(at: now))
    switch message[code: .reference] {
    case PGN.Code.trueNorth: report.trueHeading = TrueHeading(sensor.wrappedToTurn)
    case PGN.Code.magneticNorth:
      let magnetic = message.angle(.deviation).map { sensor + $0 } ?? sensor
      report.magneticHeading = MagneticHeading(magnetic.wrappedToTurn)
      report.trueHeading = message.angle(.variation).map {
        TrueHeading((magnetic + $0).wrappedToTurn)
      }
    default: return nil
    }
    report.pitch = pitch.value(at: now)
    report.roll = roll.value(at: now)
    report.heaveMetres = heave.value(at: now)
    return report
  }

  private func epoch(_ message: PGNMessage, at now: Timestamp) -> ReceiverEpoch {
    var epoch = ReceiverEpoch(timestamp: now)
    epoch.magneticVariation = variation.value(at: now)
    epoch.fix.utc = message.utc
    epoch.fix.satellitesUsed = message[.satellites].map { Int(bounded: $0) }
    epoch.fix.horizontalDilution = message.dilution(.horizontalDilution)
    epoch.positionDilution = message.dilution(.positionDilution)
    let method = message.pgn == .gnssPosition ? message[code: .method] : nil
    guard method != PGN.Code.noGNSS, let position = message.place else { return epoch }
    let altitude = message[.altitude].flatMap { (-20_000...100_000).contains($0) ? $0 : nil }
    epoch.fix.position = position
    epoch.fix.kind = Self.kind(method, hasAltitude: altitude != nil)
    epoch.dimension = altitude == nil ? .two : .three
    epoch.heldDimension = epoch.dimension
    epoch.fix.ellipsoidalAltitudeMetres = altitude
    epoch.geoidSeparationMetres = message[.separation].flatMap { abs($0) < 200 ? $0 : nil }
    if let altitude, let separation = epoch.geoidSeparationMetres {
      epoch.fix.altitudeMetres = altitude - separation
    }
    epoch.printedAltitudeMetres = epoch.fix.altitudeMetres
    epoch.printedHeightMetres = altitude
    epoch.correctionAgeSeconds = message[.correctionAge]
    epoch.fix.speedMetresPerSecond = speed.value(at: now)
    epoch.fix.course = course.value(at: now)
    epoch.magneticCourse = magneticCourse.value(at: now)
    // NMEA 2000 has no accuracy in metres that receivers usually send.
    epoch.fix.setHorizontalAccuracy(stated: nil)
    return epoch
  }

  /// A position entered by hand counts as simulated, as in NMEA 0183.
  private static func kind(_ method: Int?, hasAltitude: Bool) -> FixKind {
    switch method {
    case PGN.Code.differential, PGN.Code.precise: .differential
    case PGN.Code.rtkFixed: .rtkFixed
    case PGN.Code.rtkFloat: .rtkFloat
    case PGN.Code.estimated: .deadReckoning
    case PGN.Code.manual, PGN.Code.simulated: .simulated
    default: hasAltitude ? .threeDimensional : .twoDimensional
    }
  }
}

extension PGNMessage {
  fileprivate func angle(_ field: PGN.Field) -> Angle? { self[field].map { Angle(radians: $0) } }

  fileprivate func dilution(_ field: PGN.Field) -> Double? {
    self[field].flatMap { $0 >= 0 ? $0 : nil }
  }

  fileprivate var place: GeodeticPosition? {
    guard let latitude = self[.latitude], let longitude = self[.longitude], abs(latitude) <= 90,
      abs(longitude) <= 180
    else { return nil }
    return GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// Date and time of the day; nil where one is missing or impossible.
  fileprivate var utc: UTCTime? {
    guard let date = self[.date], let time = self[.time], time < 86_401 else { return nil }
    return UTCTime(nanosecondsSince1970: Int64(bounded: date) * 86_400_000_000_000)
      .advanced(bySeconds: time).rounded(toNanoseconds: 100_000)
  }
}

extension Environment {
  /// Adds the measurements of a message.
  mutating func add(_ message: PGNMessage) {
    switch message.pgn {
    case .waterSpeed: waterSpeedMetresPerSecond = message[.speed] ?? waterSpeedMetresPerSecond
    case .pressure where message[code: .source] == PGN.Code.atmosphericPressure:
      pressureHectopascal = message[.pressure].map { $0 / 100 } ?? pressureHectopascal
    case .wind:
      let (angle, speed) = (message.angle(.angle)?.wrappedToTurn, message[.speed])
      switch message[code: .reference] {
      case PGN.Code.apparentWind:
        apparentWindAngle = angle ?? apparentWindAngle
        apparentWindMetresPerSecond = speed ?? apparentWindMetresPerSecond
      case PGN.Code.windTrueNorth:
        trueWindDirection = angle ?? trueWindDirection
        trueWindMetresPerSecond = speed ?? trueWindMetresPerSecond
      case PGN.Code.windMagneticNorth:
        magneticWindDirection = angle ?? magneticWindDirection
        trueWindMetresPerSecond = speed ?? trueWindMetresPerSecond
      case PGN.Code.trueWindOfBoat: trueWindMetresPerSecond = speed ?? trueWindMetresPerSecond
      default: break
      }
    default: break
    }
  }
}
