import Quantities

/// Checks that values are within their possible range.
enum Bounds {
  static func place(_ position: GeodeticPosition?) throws(Violation) {
    guard let position else { return }
    let (latitude, longitude) = (position.latitude.degrees, position.longitude.degrees)
    try expect(abs(latitude) <= 90, "latitude \(latitude)")
    try expect(abs(longitude) <= 180, "longitude \(longitude)")
  }

  static func numbers(_ values: Double?...) throws(Violation) {
    for case let value? in values { try expect(value.isFinite, "\(value)") }
  }

  static func positive(_ values: Double?...) throws(Violation) {
    for case let value? in values { try expect(value.isFinite && value >= 0, "\(value)") }
  }

  static func direction(_ angle: Angle?, _ name: String) throws(Violation) {
    guard let angle else { return }
    try expect(angle.radians >= 0 && angle.radians < 2 * .pi, "\(name) \(angle.degrees)")
  }

  static func date(_ date: CivilDate?) throws(Violation) {
    guard let date else { return }
    try expect(
      (1...12).contains(date.month) && date.day >= 1
        && date.day <= CivilDate.days(inMonth: date.month, of: date.year),
      "date \(date)")
  }
}
