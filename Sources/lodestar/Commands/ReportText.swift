import Formats
import Glibc
import Quantities
import ReceiverProtocols

/// A receiver's reports as text.
enum ReportText {
  static func line(_ epoch: ReceiverEpoch) -> [UInt8] {
    let fix = epoch.validFix
    var words: [String] = []
    if let utc = fix.utc {
      let text = utc.recordText
      words.append("\(text.prefix(10)) \(text.dropFirst(11).dropLast()) UTC")
    } else {
      words.append("time unknown")
    }
    words.append(fix.kind == .none ? "no fix" : fix.kind.rawValue)
    if let place = fix.position {
      words.append(
        "\(number(place.latitude.degrees, 7)) \(number(place.longitude.degrees, 7))")
    }
    if let radius = fix.horizontalAccuracyMetres { words.append("±\(number(radius, 1)) m") }
    if let altitude = fix.altitudeMetres {
      words.append("altitude \(number(altitude, 1)) m")
    }
    if let speed = fix.speedMetresPerSecond { words.append("\(number(speed, 2)) m/s") }
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
      words.append("turning \(number(rate.degreesPerSecond, 1))°/s")
    }
    return Array(words.joined(separator: "  ").utf8)
  }

  private static func direction(_ angle: Angle) -> String {
    "\(number(angle.degreesBelowTurn(decimals: 1), 1))°"
  }

  /// A number as C's `%.*f` rounds it, by its exact binary value.
  private static func number(_ value: Double, _ decimals: Int) -> String {
    withVaList([Int32(decimals), value]) { arguments in
      // The longest has 309 digits before the point.
      var text = [CChar](repeating: 0, count: 330)
      let count = vsnprintf(&text, text.count, "%.*f", arguments)
      return String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
