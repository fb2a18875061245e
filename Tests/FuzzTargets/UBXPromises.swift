import Quantities
import ReceiverProtocols

extension UBXMessage {
  /// Checks that every value is in range, and reads every repeated part.
  func check() throws(Violation) {
    switch self {
    case .ackNak, .ackAck, .cfgPrt, .cfgMsg, .cfgRate, .cfgNav5, .navEOE, .monHW, .timTP: break
    case .cfgValGet(let m):
      try expect(m.reduce(0) { count, _ in count + 1 } == m.count, "\(m.count) items")
    case .esfMeas(let m): for measurement in m.measurements { _ = measurement }
    case .esfRaw(let m): for measurement in m.measurements { _ = measurement }
    case .esfStatus(let m): for sensor in m.sensors { _ = sensor }
    case .esfAlg, .esfIns, .hnrIns: break
    case .monVer(let m):
      try expect(m.software.bytes.count <= 30 && m.hardware.bytes.count <= 10, "long versions")
      for part in m.extensions { try expect(part.text.bytes.count <= 30, "a long extension") }
      try Bounds.positive(m.protocolVersionHundredths.map { Double($0) })
    case .monRF(let m):
      for path in m.paths { try Bounds.positive(path.radio.gainFraction) }
    case .navSVInfo(let m):
      for channel in m.channels { try Bounds.numbers(channel.residualMetres) }
    case .navSat(let m):
      for satellite in m.satellites { try Bounds.numbers(satellite.residualMetres) }
    case .navSig(let m): for signal in m.signals { try Bounds.numbers(signal.residualMetres) }
    default: try checkSolution()
    }
  }

  /// Checks position, motion, attitude and time. Directions of messages have no range; the epoch's
  /// have.
  private func checkSolution() throws(Violation) {
    switch self {
    case .navPosLLH(let m): try Self.check(m.position, m.horizontalAccuracyMetres)
    case .navHPPosLLH(let m):
      try Self.check(m.position, m.horizontalAccuracyMetres)
      try Bounds.numbers(m.altitudeMetres, m.ellipsoidalAltitudeMetres)
    case .navPVT(let m):
      try Self.check(m.position, m.horizontalAccuracyMetres)
      try Self.check(m.time)
      try Self.check(m.speedMetresPerSecond, m.course)
      try Bounds.direction(m.vehicleHeading?.angle, "heading")
      try Bounds.positive(m.positionDilution, m.verticalAccuracyMetres, m.timeAccuracySeconds)
    case .navPVAT(let m):
      try Self.check(m.position, m.horizontalAccuracyMetres)
      try Self.check(m.time)
      try Self.check(m.speedMetresPerSecond, m.course)
      try Bounds.direction(m.heading?.angle, "heading")
      try Bounds.positive(m.errorEllipseSemiMajorMetres, m.errorEllipseSemiMinorMetres)
    case .hnrPVT(let m):
      try Self.check(m.position, m.horizontalAccuracyMetres)
      try Self.check(m.time)
      try Bounds.numbers(m.course.radians)
      try Bounds.direction(m.vehicleHeading?.angle, "heading")
    case .navVelNED(let m): try Self.check(m.speedMetresPerSecond, m.course)
    case .navAtt(let m), .hnrAtt(let m): try Bounds.direction(m.heading?.angle, "heading")
    case .navDOP(let m): try Bounds.positive(m.positionDilution, m.horizontalDilution)
    case .navSol(let m): try Bounds.positive(m.positionDilution, m.positionAccuracyMetres)
    case .navTimeUTC(let m): try Self.check(m.time)
    case .navTimeGPS(let m):
      if let utc = m.utc { try expect((1677...2262).contains(utc.date.year), "UTC \(utc)") }
    case .navRelPosNED(let m):
      try Bounds.numbers(m.heading?.radians)
      try Bounds.positive(m.lengthAccuracyMetres)
      try Bounds.numbers(m.lengthMetres, m.offset?.northMetres, m.offset?.downMetres)
    default: break
    }
  }

  private static func check(_ place: GeodeticPosition?, _ accuracy: Double?) throws(Violation) {
    try Bounds.place(place)
    try Bounds.positive(accuracy)
  }

  private static func check(_ speed: Double, _ course: Angle) throws(Violation) {
    try Bounds.numbers(speed, course.radians)
  }

  private static func check(_ time: UBXTime) throws(Violation) {
    try Bounds.date(time.date)
    if let day = time.timeOfDay {
      try expect((0..<86_401_000_000_000).contains(day.nanoseconds), "time \(day)")
    }
    if let utc = time.utc { try expect((1677...2262).contains(utc.date.year), "UTC \(utc)") }
  }
}
