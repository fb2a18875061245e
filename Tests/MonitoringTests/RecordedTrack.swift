import Foundation
import Monitoring
import Quantities
import TestSupport

/// The fixes of a recorded drive or flight of the reference data, at their recorded times.
struct RecordedTrack: Sendable {
  let name: String
  let fixes: [PlaceFix]

  /// The drives of an hour or more, and the short pieces in vehicles.
  static let names = [
    "drives/2023-08-09_16-37-41", "drives/2025-07-08_14-12-53", "drives/2025-07-18_23-13-43",
    "vehicles/car_compass", "vehicles/circles_car", "vehicles/highway_with_compass",
  ]

  /// - Returns: nil where the reference data is absent.
  init?(_ name: String) {
    guard let bytes = SharedData.bytes("data/\(name).csv") else { return nil }
    self.name = name
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    func column(_ names: String...) -> Int? {
      header.firstIndex { names.contains(String($0)) }
    }
    let columns = [
      column("t", "time"), column("lat", "latitude"), column("lon", "longitude"),
      column("hacc", "horizontalAccuracy"), column("speed"), column("course", "bearing"),
    ]
    var fixes: [PlaceFix] = []
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      func value(_ index: Int) -> Double? {
        columns[index].flatMap { $0 < cells.count ? Double(cells[$0]) : nil }
          .flatMap { $0.isFinite && $0 > -400 ? $0 : nil }
      }
      guard let latitude = value(1), let longitude = value(2), let accuracy = value(3),
        accuracy >= 0, let first = columns[0], let time = Self.time(cells[first])
      else { continue }
      var fix = PlaceFix(
        position: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude),
        horizontalAccuracyMetres: accuracy, time: time)
      fix.speedMetresPerSecond = value(4).flatMap { $0 < 0 ? nil : $0 }
      fix.courseDegrees = value(5).flatMap { $0 < 0 ? nil : $0 }
      // Some recordings repeat a second.
      if let last = fixes.last, time <= last.time { continue }
      fixes.append(fix)
    }
    self.fixes = fixes
  }

  /// Seconds since the start, or a time as `2023-08-09 16:37:45+00:00`.
  private static func time(_ text: String) -> UTCTime? {
    if let seconds = Double(text) { return Fixture.start.advanced(bySeconds: seconds) }
    let parts = text.split { !$0.isNumber }.compactMap { Double($0) }
    guard parts.count >= 6 else { return nil }
    let seconds: Double = parts[2] * 86_400 + parts[3] * 3600 + parts[4] * 60 + parts[5]
    return Fixture.start.advanced(bySeconds: seconds)
  }
}
