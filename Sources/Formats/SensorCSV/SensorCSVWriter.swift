import Quantities

/// Writes rows as the sensor CSV that `SensorCSVReader` reads. Numbers have the digits that give
/// the same number again. A CSV has no place for each sensor's own time, another compass, and a
/// fix's kind, civil time, velocity and covariances.
package enum SensorCSVWriter {
  /// The first line.
  package static let header = SensorColumn.allCases.map(\.name).joined(separator: ",")

  /// Appends a row, without the end of the line.
  package static func append(_ row: SensorSamples, to bytes: inout [UInt8]) {
    // From the whole number: seconds since 1970 as a `Double` have steps of 0.2 microseconds.
    let (seconds, rest) = row.timestamp.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    bytes.append(contentsOf: "\(seconds).\(String(rest + 1_000_000_000).dropFirst())".utf8)
    let (fix, position) = (row.fix, row.fix?.position)
    let vectors = [
      row.inertial?.angularRate?.components, row.inertial?.specificForce?.components,
      row.field?.field.components,
    ]
    for vector in vectors { for index in 0..<3 { append(vector?[index], to: &bytes) } }
    let numbers: [Double?] = [
      row.pressure?.hectopascal, row.pressure?.celsius, position?.latitude.degrees,
      position?.longitude.degrees, fix?.altitudeMetres, fix?.horizontalAccuracyMetres,
      fix?.verticalAccuracyMetres, fix?.speedMetresPerSecond, fix?.course?.degrees, row.load,
    ]
    for number in numbers { append(number, to: &bytes) }
  }

  private static func append(_ value: Double?, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: ","))
    if let value, value.isFinite { bytes.append(contentsOf: value.description.utf8) }
  }
}
