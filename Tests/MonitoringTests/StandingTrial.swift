import Foundation
import Monitoring
import Quantities
import TestSupport

/// Fixes of receivers that stood still: stops of the recorded drives, and logs of the reference
/// data.
enum RecordedStand {
  /// Below this speed the car stands, metres per second.
  private static let standingSpeed = 0.3
  private static let leastSeconds = 60.0

  static func all() -> [(name: String, fixes: [PlaceFix])] {
    var stands: [(name: String, fixes: [PlaceFix])] = []
    for name in RecordedTrack.names.prefix(3) {
      guard let track = RecordedTrack(name) else { continue }
      for stop in stops(track.fixes) { stands.append((name, stop)) }
    }
    for name in ["haicom-305N", "rx210", "gp-320fw-2019-04-06-overflow", "neo-m8n", "quectel-L70"] {
      let fixes = log(name)
      if !fixes.isEmpty { stands.append((name, fixes)) }
    }
    return stands
  }

  private static func stops(_ fixes: [PlaceFix]) -> [[PlaceFix]] {
    var stops: [[PlaceFix]] = []
    var stop: [PlaceFix] = []
    for fix in fixes {
      if let speed = fix.speedMetresPerSecond, speed < standingSpeed {
        stop.append(fix)
      } else {
        if Double(stop.count) >= leastSeconds { stops.append(stop) }
        stop = []
      }
    }
    return stops
  }

  private struct Epoch: Decodable {
    let kind: String
    let lat, lon, speed: Double?
    /// The radius of 95 %, metres.
    let eph: Double?
  }

  /// One fix a second of what gpsd decoded from a log.
  private static func log(_ name: String) -> [PlaceFix] {
    guard let bytes = SharedData.bytes("data/gnss/\(name).expected.jsonl") else { return [] }
    let epochs = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .compactMap { line -> Epoch? in
        do { return try JSONDecoder().decode(Epoch.self, from: Data(line.utf8)) } catch {
          return nil
        }
      }
    return epochs.enumerated().compactMap { index, epoch in
      guard epoch.kind == "tpv", let latitude = epoch.lat, let longitude = epoch.lon else {
        return nil
      }
      var fix = PlaceFix(
        position: GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude),
        // 95 % is 1.62 times 68 % of a normal distribution in two dimensions.
        horizontalAccuracyMetres: (epoch.eph ?? 15) / 1.62,
        time: Fixture.start.advanced(bySeconds: Double(index)))
      fix.speedMetresPerSecond = epoch.speed
      return fix
    }
  }
}

/// A receiver that stands on the edge of circles in eight directions for an hour.
struct StandingTrial: Sendable {
  var radiusMetres: Double
  var intervalSeconds = 1
  /// Enlarges the recorded errors; the stated accuracy stays.
  var errorFactor = 1.0
  /// Whether the fixes have the receiver's speed.
  var hasSpeed = true
  var seconds = 3600

  /// The number of reported crossings of all circles.
  func crossings(_ stand: [PlaceFix], _ tuning: MonitoringConfiguration) -> Int {
    let middle = Self.middle(stand)
    let metresEast = 111_320 * cos(middle.latitude.radians)
    func place(_ east: Double, _ north: Double) -> GeodeticPosition {
      GeodeticPosition(
        latitudeDegrees: middle.latitude.degrees + north / 111_200,
        longitudeDegrees: middle.longitude.degrees + east / metresEast)
    }
    var monitor = ApplicationMonitor(configuration: tuning)
    for direction in 0..<8 {
      let angle = Double(direction) * .pi / 4
      let center = place(sin(angle) * radiusMetres, cos(angle) * radiusMetres)
      monitor.perform(
        .startRegion(
          MonitoredRegion(
            identifier: "\(direction)",
            condition: .circle(center: center, radiusMetres: radiusMetres))), at: Fixture.start)
    }
    var count = 0
    for second in stride(from: 0, to: seconds, by: intervalSeconds) {
      // Forwards and backwards, so that the record has no leap where it begins again.
      let turn = second / intervalSeconds % max(1, 2 * stand.count - 2)
      var fix = stand[turn < stand.count ? turn : 2 * stand.count - 2 - turn]
      let east = (fix.position.longitude.degrees - middle.longitude.degrees) * metresEast
      let north = (fix.position.latitude.degrees - middle.latitude.degrees) * 111_200
      fix.position = place(east * errorFactor, north * errorFactor)
      fix.time = Fixture.start.advanced(bySeconds: Double(second + 1))
      if !hasSpeed { fix.speedMetresPerSecond = nil }
      monitor.process(fix)
      for event in monitor.pending {
        switch event.kind {
        case .entered, .exited: count += 1
        default: break
        }
        monitor.perform(.acknowledge(sequence: event.sequence), at: event.time)
      }
    }
    return count
  }

  private static func middle(_ stand: [PlaceFix]) -> GeodeticPosition {
    let count = Double(stand.count)
    return GeodeticPosition(
      latitudeDegrees: stand.reduce(0) { $0 + $1.position.latitude.degrees } / count,
      longitudeDegrees: stand.reduce(0) { $0 + $1.position.longitude.degrees } / count)
  }
}
