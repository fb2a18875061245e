import EarthModel
import Foundation
import Quantities
import RealModule
import Study

/// One row of a drive in drive.py's CSV.
struct DriveRow {
  let seconds: Double
  let hectopascal: Double?
  /// Metres above mean sea level, with its accuracy.
  let altitude: Double?
  let verticalAccuracy: Double?
  let speed: Double?
  /// The epoch; nil without a place.
  let fix: Fix?

  var timestamp: Timestamp { Timestamp(nanoseconds: UInt64(seconds * 1e9)) }

  static func rows(_ file: String) throws -> [DriveRow] {
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    guard let names = lines.first?.split(separator: ",").map(String.init) else {
      throw StudyError("\(file): holds no rows")
    }
    return lines.dropFirst().compactMap { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return DriveRow { name in
        names.firstIndex(of: name).flatMap { $0 < cells.count ? Double(cells[$0]) : nil }
      }
    }
  }

  private init?(_ value: (String) -> Double?) {
    guard let t = value("t") else { return nil }
    (seconds, hectopascal, speed) = (t, value("pressure"), value("speed"))
    (altitude, verticalAccuracy) = (value("alt"), value("vacc"))
    guard let latitude = value("lat"), let longitude = value("lon") else {
      fix = nil
      return
    }
    var fix = Fix(timestamp: Timestamp(nanoseconds: UInt64(t * 1e9)), kind: .threeDimensional)
    fix.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    fix.horizontalAccuracyMetres = value("hacc")
    fix.speedMetresPerSecond = speed
    fix.course = value("course").map { Angle(degrees: $0) }
    self.fix = fix
  }
}

/// A span at the end of each period of a drive in which something is withheld.
struct Windows {
  let length: Double
  let period: Double

  func contains(_ seconds: Double) -> Bool {
    seconds.truncatingRemainder(dividingBy: period) >= period - length
  }
}

/// Metres between two places that are near each other.
func distance(_ a: GeodeticPosition, _ b: GeodeticPosition) -> Double {
  LocalPlane(origin: a).metres(to: b).length
}

extension Fix {
  /// The place at a later time by the velocity of the epoch.
  func carried(to t: Timestamp) -> GeodeticPosition? {
    guard let position, let speed = speedMetresPerSecond else { return nil }
    guard let course else { return position }
    let way = SIMD2(Double.cos(course.radians), Double.sin(course.radians))
    return LocalPlane(origin: position).place(at: way * speed * t.seconds(since: timestamp))
  }
}
