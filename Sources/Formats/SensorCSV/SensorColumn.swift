import Quantities

/// A column of the sensor CSV.
enum SensorColumn: Int, CaseIterable {
  case t
  case gx, gy, gz
  case ax, ay, az
  case mx, my, mz
  case pressure, temperature
  case lat, lon, alt, hacc, vacc, speed, course
  case load

  /// The name in the header.
  var name: String { "\(self)" }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// The column of a name in the header; nil for an unknown one, which is ignored.
  init?(name: String) {
    guard let column = Self.byName[name] else { return nil }
    self = column
  }

  /// What it measures, where it has units; nil for the others.
  var quantity: SampleQuantity? {
    switch self {
    case .gx, .gy, .gz: .rate
    case .ax, .ay, .az: .force
    case .mx, .my, .mz: .field
    case .pressure: .pressure
    default: nil
    }
  }

  /// Columns that are only valid together.
  static let groups: [[SensorColumn]] = [
    [.gx, .gy, .gz], [.ax, .ay, .az], [.mx, .my, .mz], [.lat, .lon],
  ]

  /// Groups of which a recording needs at least one.
  static let sensors: [[SensorColumn]] = groups + [[.pressure]]

  /// The valid range of a cell: the widest of any sensor or place.
  var range: ClosedRange<Double> {
    switch self {
    case .t: 0...1.8e10
    case .lat: -90...90
    case .lon: -360...360
    case .pressure: 0.01...2000
    // Far above the ranges of all chips: 6000 deg/s, 1000 g, 100 mT.
    case .gx, .gy, .gz: -1e3...1e3
    case .ax, .ay, .az: -1e5...1e5
    case .mx, .my, .mz: -1e6...1e6
    case .hacc, .vacc, .speed: 0...1e9
    default: -1e9...1e9
    }
  }

  /// The expected content of a cell, for messages.
  var expectation: String {
    switch self {
    case .t: "seconds from 0 up"
    case .gx, .gy, .gz: "a rate from -1000 to 1000 rad/s"
    case .ax, .ay, .az: "a specific force from -1e5 to 1e5 m/s²"
    case .mx, .my, .mz: "a field from -1e6 to 1e6 microtesla"
    case .pressure: "a pressure in hPa from 0.01 to 2000"
    case .temperature: "a temperature in °C"
    case .lat: "degrees from -90 to 90"
    case .lon: "degrees from -360 to 360"
    case .alt: "metres above mean sea level"
    case .hacc, .vacc: "metres, not negative"
    case .speed: "metres per second, not negative"
    case .course: "degrees"
    case .load: "a load, a number"
    }
  }
}
