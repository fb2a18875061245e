import Foundation
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// Recorded streams of receivers, compared with gpsd's output.
@Suite(
  .enabled(if: SharedData.directory != nil, "the reference logs are absent"),
  .timeLimit(.minutes(30)))
struct RecordedStreamTests {
  static let nmeaLogs = [
    "bt451", "furuno_gl_ga", "gp-320fw-2019-04-06-overflow", "hab-gpspi", "haicom-305N",
    "humminbird-M37", "neo-m8n", "nmea-fuzzy-cases", "quectel-L70", "rx210", "saab-r4",
    "telit-pls83-w", "tn204",
  ]
  static let binaryLogs = [
    "ublox-lea-m8f", "ublox-neo-f9v", "ublox-neo-m8n", "ublox-neo-m8p", "ublox-neo-m8u-hnr",
    "ublox-zed-f9p-rtk", "ublox8-uniqid-monhw",
  ]

  struct Expected: Decodable {
    let kind: String
    let t_ms: Int64?
    let mode: Int?
    let lat: Double?
    let lon: Double?
    let altMSL: Double?
    let speed: Double?
    let track: Double?
    let res_deg: Double?
    /// The other values that gpsd printed for the instant.
    let any: Others?
    struct Others: Decodable {
      let mode: [Int]?
      let lat: [Double]?
      let lon: [Double]?
      let altMSL: [Double]?
      let speed: [Double]?
      let track: [Double]?
    }

    /// The values that gpsd printed for the instant and that no report has within the tolerances.
    func missing(in reports: [ReceiverEpoch], resolution: Double) -> [String] {
      func isNear(
        _ all: [Double]?, _ one: Double?, _ tolerance: Double,
        _ value: (ReceiverEpoch) -> Double?
      ) -> Bool {
        guard let expected = all ?? one.map({ [$0] }) else { return true }
        return reports.contains { report in
          value(report).map { value in expected.contains { abs($0 - value) <= tolerance } } ?? false
        }
      }
      let modes = any?.mode ?? mode.map { [$0] } ?? []
      let isSlow = (any?.speed ?? speed.map { [$0] } ?? [0]).allSatisfy { $0 < 0.1 }
      let checks: [(String, Bool)] = [
        ("mode", reports.contains { modes.contains($0.heldDimension.rawValue) }),
        ("latitude", isNear(any?.lat, lat, resolution) { $0.fix.position?.latitude.degrees }),
        ("longitude", isNear(any?.lon, lon, resolution) { $0.fix.position?.longitude.degrees }),
        ("altitude", mode != 3 || isNear(any?.altMSL, altMSL, 0.1) { $0.printedAltitudeMetres }),
        (
          "speed",
          isNear(any?.speed, speed, 0.05) {
            let (own, derived) = ($0.fix.speedMetresPerSecond, $0.derivedSpeedMetresPerSecond)
            return $0.isSpeedLate ? derived ?? own : own ?? derived
          }
        ),
        ("track", isSlow || isNear(any?.track, track, 0.1) { $0.fix.course?.degrees }),
      ]
      return checks.filter { !$0.1 }.map(\.0)
    }
  }

  @Test("Every epoch of gpsd is reported with gpsd's values", arguments: nmeaLogs + binaryLogs)
  func epochsMatch(log: String) throws {
    let bytes = try #require(SharedData.bytes("data/gnss/\(log).log"))
    let expectation = try #require(SharedData.bytes("data/gnss/\(log).expected.jsonl"))
    let lines = try expectation.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Expected.self, from: Data($0))
    }
    let resolution = max(1e-7, 0.51 * (lines.first?.res_deg ?? 0)) + 1e-12
    var found: [(time: Int64, epoch: ReceiverEpoch)] = []
    for case .epoch(let epoch) in reports(bytes) {
      if let utc = epoch.fix.utc {
        found.append(((utc.nanosecondsSince1970 + 500_000) / 1_000_000, epoch))
      }
    }
    var compared = 0
    for line in lines where line.kind == "tpv" && (line.mode ?? 0) >= 2 {
      guard let time = line.t_ms, line.lat != nil else { continue }
      // After a week rollover gpsd adds 1024 weeks, the decoder does not without a `DateCorrection`. Where
      // a log's time steps back, an instant comes twice: gpsd's values belong to either.
      let rollover: Int64 = 7168 * 86_400_000
      let candidates = found.filter {
        let late = $0.time - time
        return abs(late) <= 5 || abs(late + rollover) <= 5
      }
      compared += 1
      let missing = line.missing(in: candidates.map(\.epoch), resolution: resolution)
      #expect(missing.isEmpty, "\(time): \(missing)")
    }
    #expect(compared > 0)
  }

  @Test("A stream in bytes or random pieces decodes the same", arguments: nmeaLogs + binaryLogs)
  func pieces(log: String) throws {
    let bytes = try #require(SharedData.bytes("data/gnss/\(log).log"))
    let whole = decode(bytes)
    let all = reports(bytes)
    let bytewise = decode(bytes, splitAt: Array(1..<bytes.count))
    #expect(whole.sentences == bytewise.sentences)
    #expect(whole.1 == bytewise.1)
    #expect(reports(bytes, splitAt: Array(1..<bytes.count)) == all)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<10 {
      let cuts = (0..<40).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
      let pieces = decode(bytes, splitAt: cuts)
      #expect(pieces.sentences == whole.sentences)
      #expect(pieces.1 == whole.1)
      #expect(reports(bytes, splitAt: cuts) == all)
    }
  }

  @Test("A stream split at every position decodes the same", arguments: ["tn204", "hab-gpspi"])
  func everySplit(log: String) throws {
    let bytes = try #require(SharedData.bytes("data/gnss/\(log).log"))
    let whole = decode(bytes)
    for position in 1..<bytes.count {
      let halves = decode(bytes, splitAt: [position])
      if halves.sentences != whole.sentences || halves.1 != whole.1 {
        Issue.record("split at \(position)")
        return
      }
    }
  }

  @Test("A binary stream split in two at every position of its frames decodes the same")
  func everyBinarySplit() throws {
    let all = try #require(SharedData.bytes("data/gnss/ublox8-uniqid-monhw.log"))
    let bytes = Array(all.prefix(3000))
    let whole = reports(bytes)
    #expect(decode(bytes).1.ubxFrames > 0)
    for position in 1..<bytes.count {
      if reports(bytes, splitAt: [position]) != whole {
        Issue.record("split at \(position)")
        return
      }
    }
  }
}
