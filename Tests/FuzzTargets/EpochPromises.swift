import Quantities
import ReceiverProtocols

extension ReceiverEpoch {
  /// Checks every invariant of one epoch.
  func check() throws(Violation) {
    try checkFix()
    try Bounds.positive(
      fix.horizontalAccuracyMetres, fix.verticalAccuracyMetres, fix.speedMetresPerSecond,
      fix.horizontalDilution, positionDilution, verticalDilution, latitudeErrorMetres,
      longitudeErrorMetres, derivedSpeedMetresPerSecond)
    try Bounds.numbers(
      fix.altitudeMetres, fix.ellipsoidalAltitudeMetres, fix.verticalSpeedMetresPerSecond,
      geoidSeparationMetres, derivedClimbMetresPerSecond, magneticVariation?.radians)
    try Bounds.direction(fix.course, "course")
    try Bounds.direction(magneticCourse, "magnetic course")
    try Bounds.direction(trueHeading?.angle, "true heading")
    try Bounds.direction(magneticHeading?.angle, "magnetic heading")
    if let utc = fix.utc {
      // The range of an Int64 in nanoseconds; receivers do send impossible years.
      try expect((1677...2262).contains(utc.date.year), "UTC \(utc)")
    }
    if let satellites = sky?.satellites { try Self.check(satellites) }
  }

  /// Checks that dimension, kind and the other values agree.
  private func checkFix() throws(Violation) {
    try Bounds.place(fix.position)
    try expect((fix.kind == .none) == (dimension == .none), "\(fix.kind) with mode \(dimension)")
    if fix.kind == .none {
      try expect(
        fix.position == nil && fix.altitudeMetres == nil && fix.speedMetresPerSecond == nil
          && fix.course == nil && fix.verticalAccuracyMetres == nil
          && fix.ellipsoidalAltitudeMetres == nil && derivedSpeedMetresPerSecond == nil,
        "no fix, but \(fix)")
    } else {
      try expect(fix.position != nil, "\(fix.kind) without a position")
    }
    if dimension < .three {
      try expect(
        fix.altitudeMetres == nil && fix.ellipsoidalAltitudeMetres == nil
          && fix.verticalAccuracyMetres == nil,
        "mode \(dimension) with an altitude")
    }
    if fix.kind == .twoDimensional { try expect(dimension == .two, "2D in mode \(dimension)") }
    if fix.kind == .threeDimensional { try expect(dimension == .three, "3D in mode \(dimension)") }
    try expect(
      derivedSpeedMetresPerSecond == nil || fix.speedMetresPerSecond == nil || isSpeedLate,
      "a derived speed beside a reported speed")
  }

  private static func check(_ satellites: [SkyView.Satellite]) throws(Violation) {
    for satellite in satellites {
      if let elevation = satellite.elevationDegrees {
        try expect((-90...90).contains(elevation), "elevation \(elevation)")
      }
      if let azimuth = satellite.azimuthDegrees {
        try expect((0...360).contains(azimuth), "azimuth \(azimuth)")
      }
      try Bounds.positive(satellite.signalDecibelHertz)
      try expect(satellite.id.number > 0, "satellite \(satellite.id)")
    }
    try expect(Set(satellites.map(\.id)).count == satellites.count, "a satellite is listed twice")
  }

  /// Checks it against the previous epoch: a revision has the same timestamp, and timestamps never
  /// decrease.
  func checkFollows(_ previous: ReceiverEpoch?) throws(Violation) {
    guard let previous else {
      return try expect(!isRevision, "the first epoch is a revision")
    }
    try expect(
      fix.timestamp >= previous.fix.timestamp,
      "an epoch of \(fix.timestamp) after one of \(previous.fix.timestamp)")
    if isRevision {
      try expect(fix.timestamp == previous.fix.timestamp, "a revision of another epoch")
    }
  }
}
