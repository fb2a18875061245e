import Quantities

/// lodestar_msgs/msg/Input: rows of samples in the order in which the pipeline takes them, exact to
/// the last bit. An empty sequence is a missing value.
package struct InputMessage: ROSMessage, Equatable, Sendable {
  /// The rows; a message of several is smaller than a message for each.
  package var rows: [SensorSamples]

  package static let name = "lodestar_msgs/msg/Input"
  package static let fields = "lodestar_msgs/Row[] rows\n"
  package static let parts: [ROSPart] = [
    ROSPart(
      name: "lodestar_msgs/Row",
      fields: """
        uint64 clock_ns
        uint8 parts  # 1 inertial, 2 field, 4 pressure, 8 heading of another compass
        uint64 inertial_ns
        float64[] angular_rate  # rad/s along the sensor's axes
        float64[] specific_force  # m/s2
        uint64 field_ns
        float64[] field  # microtesla
        uint64 pressure_ns
        float64[] pressure  # hPa, and the sensor's degrees Celsius where known
        uint64 heading_ns
        float64[] heading  # magnetic, true, one sigma, radians, NaN: unknown
        # of two antennas also their distance, m, elevation and its sigma
        float64[] load
        lodestar_msgs/Fix[] fix

        """),
    ROSPart(
      name: "lodestar_msgs/Fix",
      fields: """
        uint64 clock_ns
        int64[] utc_ns  # since 1970
        string kind
        float64[] position  # latitude, longitude, radians
        float64[] values  # the numbers in the order of Fix.swift, NaN: unknown
        float64[] velocity  # m/s north, east, down
        float64[] position_covariance  # m2, north, east, down, by rows
        float64[] velocity_covariance
        int32[] satellites_used

        """),
  ]
  /// Makes the message of some rows.
  package init(_ rows: [SensorSamples]) { self.rows = rows }

  package func write(to cdr: inout CDRWriter) {
    cdr.add(UInt32(rows.count))
    for row in rows { Self.write(row, to: &cdr) }
  }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    rows = []
    // No memory is reserved by the count, which may be wrong in a damaged file.
    for _ in 0..<(try cdr.number(UInt32.self)) { rows.append(try Self.row(&cdr)) }
  }

  // MARK: A row

  private static func write(_ row: SensorSamples, to cdr: inout CDRWriter) {
    let inertial = row.inertial
    cdr.add(row.timestamp.nanoseconds)
    var parts: UInt8 = 0
    if inertial != nil { parts |= 1 }
    if row.field != nil { parts |= 2 }
    if row.pressure != nil { parts |= 4 }
    if row.heading != nil { parts |= 8 }
    cdr.add(parts)
    cdr.add(inertial?.timestamp.nanoseconds ?? 0)
    cdr.add(sequence: inertial?.angularRate?.components)
    cdr.add(sequence: inertial?.specificForce?.components)
    cdr.add(row.field?.timestamp.nanoseconds ?? 0)
    cdr.add(sequence: row.field?.field.components)
    cdr.add(row.pressure?.timestamp.nanoseconds ?? 0)
    cdr.add(
      sequence: row.pressure.map { [$0.hectopascal] + ($0.celsius.map { [$0] } ?? []) } ?? [])
    cdr.add(row.heading?.timestamp.nanoseconds ?? 0)
    cdr.add(
      sequence: row.heading.map { heading in
        let own = [
          heading.magnetic?.angle.radians, heading.true?.angle.radians, heading.accuracy?.radians,
        ]
        let vector =
          heading.antennas.map {
            [$0.lengthMetres, $0.elevation?.radians, $0.elevationAccuracy?.radians]
          } ?? []
        return (own + vector).map { $0 ?? .nan }
      } ?? [])
    cdr.add(sequence: row.load.map { [$0] } ?? [])
    cdr.add(UInt32(row.hasFix ? 1 : 0))
    if let fix = row.fix { write(fix, to: &cdr) }
  }

  private static func row(_ cdr: inout CDRReader) throws(CDRFault) -> SensorSamples {
    var row = SensorSamples(timestamp: try time(&cdr))
    let parts = try cdr.number(UInt8.self)
    let inertialTime = try time(&cdr)
    let (rate, force) = (try cdr.optionalVector(), try cdr.optionalVector())
    if parts & 1 != 0 {
      row.inertial = InertialSample(
        timestamp: inertialTime, angularRate: rate.map { AngularRate(components: $0) },
        specificForce: force.map { SpecificForce(components: $0) })
    }
    let fieldTime = try time(&cdr)
    let field = try cdr.optionalVector()
    if parts & 2 != 0, let field {
      row.field = FieldSample(timestamp: fieldTime, field: MagneticField(components: field))
    }
    let pressureTime = try time(&cdr)
    let pressure = try cdr.sequence()
    if parts & 4 != 0, let hectopascal = pressure.first {
      row.pressure = PressureSample(
        timestamp: pressureTime, hectopascal: hectopascal,
        celsius: pressure.count > 1 ? pressure[1] : nil)
    }
    let headingTime = try time(&cdr)
    let heading = try cdr.sequence()
    if parts & 8 != 0, heading.count == 3 || heading.count == 6 {
      func number(_ index: Int) -> Double? { heading[index].isNaN ? nil : heading[index] }
      func angle(_ index: Int) -> Angle? { number(index).map { Angle(radians: $0) } }
      row.heading = HeadingSample(
        timestamp: headingTime, magnetic: angle(0).map { MagneticHeading($0) },
        true: angle(1).map { TrueHeading($0) }, accuracy: angle(2))
      if heading.count == 6 {
        row.heading?.antennas = AntennaVector(
          lengthMetres: number(3), elevation: angle(4), elevationAccuracy: angle(5))
      }
    }
    row.load = try cdr.sequence().first
    if try cdr.number(UInt32.self) > 0 { row.fix = try fix(&cdr) }
    return row
  }

  private static func time(_ cdr: inout CDRReader) throws(CDRFault) -> Timestamp {
    Timestamp(nanoseconds: try cdr.number())
  }

  // MARK: A fix

  /// The numbers of a fix that may be unknown, in the order of the message.
  private static let numbers: [WritableKeyPath<Fix, Double?> & Sendable] = [
    \.horizontalAccuracyMetres, \.altitudeMetres, \.ellipsoidalAltitudeMetres,
    \.verticalAccuracyMetres, \.speedMetresPerSecond, \.verticalSpeedMetresPerSecond,
    \.speedAccuracyMetresPerSecond, \.horizontalDilution, \.verticalDilution,
    \.correctionAgeSeconds,
  ]

  private static func write(_ fix: Fix, to cdr: inout CDRWriter) {
    cdr.add(fix.timestamp.nanoseconds)
    cdr.add(UInt32(fix.utc == nil ? 0 : 1))
    if let utc = fix.utc { cdr.add(utc.nanosecondsSince1970) }
    cdr.add(fix.kind.rawValue)
    cdr.add(
      sequence: fix.position.map { [$0.latitude.radians, $0.longitude.radians] } ?? [])
    let angles = [fix.course?.radians, fix.courseAccuracy?.radians]
    cdr.add(sequence: (numbers.map { fix[keyPath: $0] } + angles).map { $0 ?? .nan })
    cdr.add(sequence: fix.velocity?.components)
    cdr.add(sequence: elements(fix.positionCovarianceSquareMetres))
    cdr.add(sequence: elements(fix.velocityCovarianceSquareMetresPerSecondSquared))
    cdr.add(UInt32(fix.satellitesUsed == nil ? 0 : 1))
    if let satellites = fix.satellitesUsed { cdr.add(Int32(truncatingIfNeeded: satellites)) }
  }

  private static func fix(_ cdr: inout CDRReader) throws(CDRFault) -> Fix {
    let timestamp = try time(&cdr)
    let utc = try cdr.number(UInt32.self) > 0 ? try cdr.number(Int64.self) : nil
    let word = try cdr.text()
    guard let kind = FixKind(rawValue: word) else {
      throw CDRFault(description: "a fix of the kind '\(word)'")
    }
    var fix = Fix(timestamp: timestamp, kind: kind)
    fix.utc = utc.map { UTCTime(nanosecondsSince1970: $0) }
    let position = try cdr.sequence()
    if position.count == 2 {
      fix.position = GeodeticPosition(
        latitude: Angle(radians: position[0]), longitude: Angle(radians: position[1]))
    }
    let values = try cdr.sequence()
    guard values.count == numbers.count + 2 else {
      throw CDRFault(description: "a fix of \(values.count) numbers")
    }
    let known = values.map { $0.isNaN ? nil : $0 }
    for (index, path) in numbers.enumerated() { fix[keyPath: path] = known[index] }
    fix.course = known[numbers.count].map { Angle(radians: $0) }
    fix.courseAccuracy = known[numbers.count + 1].map { Angle(radians: $0) }
    fix.velocity = try cdr.optionalVector().map { Velocity(components: $0) }
    fix.positionCovarianceSquareMetres = matrix(try cdr.sequence())
    fix.velocityCovarianceSquareMetresPerSecondSquared = matrix(try cdr.sequence())
    if try cdr.number(UInt32.self) > 0 { fix.satellitesUsed = Int(try cdr.number(Int32.self)) }
    return fix
  }

  private static func elements(_ matrix: Matrix3?) -> [Double] {
    matrix.map { m in [m.r0, m.r1, m.r2].flatMap { [$0.x, $0.y, $0.z] } } ?? []
  }

  private static func matrix(_ elements: [Double]) -> Matrix3? {
    guard elements.count == 9 else { return nil }
    func row(_ index: Int) -> SIMD3<Double> {
      SIMD3(elements[index], elements[index + 1], elements[index + 2])
    }
    return Matrix3(rows: row(0), row(3), row(6))
  }
}
