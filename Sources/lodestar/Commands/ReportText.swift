import Formats
import Foundation
import Quantities
import ReceiverProtocols

/// A receiver's reports as text.
enum ReportText {
  static func line(_ epoch: ReceiverEpoch) -> [UInt8] {
    let fix = epoch.validFix
    var words: [String] = []
    if let utc = fix.utc {
      let rounded = utc.rounded(toNanoseconds: 1_000_000)
      let (d, s) = (rounded.date, rounded.nanosecondsOfDay / 1_000_000)
      words.append(
        String(
          format: "%04d-%02d-%02d %02d:%02d:%06.3f UTC", d.year, d.month, d.day, Int(s / 3_600_000),
          Int(s / 60_000 % 60), Double(s % 60_000) / 1000))
    } else {
      words.append("time unknown")
    }
    words.append(fix.kind == .none ? "no fix" : fix.kind.rawValue)
    if let place = fix.position {
      words.append(
        String(format: "%.7f %.7f", place.latitude.degrees, place.longitude.degrees))
    }
    if let radius = fix.horizontalAccuracyMetres { words.append(String(format: "±%.1f m", radius)) }
    if let altitude = fix.altitudeMetres {
      words.append(String(format: "altitude %.1f m", altitude))
    }
    if let speed = fix.speedMetresPerSecond { words.append(String(format: "%.2f m/s", speed)) }
    if let course = fix.usableCourse { words.append("course \(direction(course))") }
    if let used = fix.satellitesUsed { words.append("\(used) satellites") }
    return Array(words.joined(separator: "  ").utf8)
  }

  static func line(_ heading: HeadingReport) -> [UInt8] {
    var words = ["heading"]
    if let angle = heading.trueHeading?.angle {
      words.append("\(direction(angle)) true")
    }
    if let angle = heading.magneticHeading?.angle {
      words.append("\(direction(angle)) magnetic")
    }
    if let rate = heading.rateOfTurn {
      words.append(String(format: "turning %.1f°/s", rate.degreesPerSecond))
    }
    return Array(words.joined(separator: "  ").utf8)
  }

  private static func direction(_ angle: Angle) -> String {
    String(format: "%.1f°", angle.degreesBelowTurn(decimals: 1))
  }
}
