import Foundation
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// Streams that real receivers sent, against what gpsd made of them.
@Suite(.enabled(if: SharedData.directory != nil, "the reference logs are absent"))
struct RecordedStreamTests {
  /// Their positions come from the sentences that are registered here.
  static let nmeaLogs = [
    "bt451", "furuno_gl_ga", "gp-320fw-2019-04-06-overflow", "hab-gpspi", "haicom-305N",
    "humminbird-M37", "neo-m8n", "nmea-fuzzy-cases", "quectel-L70", "rx210", "saab-r4",
    "telit-pls83-w", "tn204",
  ]
  static let binaryLogs = ["ublox8-uniqid-monhw", "ublox-neo-m8p", "ublox-lea-m8f"]

  struct Expected: Decodable {
    let kind: String
    let t_ms: Int64?
    let mode: Int?
    let lat: Double?
    let lon: Double?
    let altMSL: Double?
    let res_deg: Double?
    /// What else gpsd printed for the instant.
    let any: Others?
    struct Others: Decodable { let altMSL: [Double]? }
  }

  @Test("Every epoch of gpsd is there with place, altitude and mode", arguments: nmeaLogs)
  func epochsMatch(log: String) throws {
    let bytes = try #require(SharedData.bytes("data/gnss/\(log).log"))
    let expectation = try #require(SharedData.bytes("data/gnss/\(log).expected.jsonl"))
    let lines = try expectation.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Expected.self, from: Data($0))
    }
    let resolution = max(1e-7, 0.51 * (lines.first?.res_deg ?? 0))
    // Where a log's time steps back, an instant comes twice: gpsd's figures are of either.
    var found: [Int64: [ReceiverEpoch]] = [:]
    for case .epoch(let epoch) in reports(bytes) {
      if let utc = epoch.fix.utc {
        found[utc.nanosecondsSince1970 / 1_000_000, default: []].append(epoch)
      }
    }
    var compared = 0
    for line in lines where line.kind == "tpv" && (line.mode ?? 0) >= 2 {
      guard let time = line.t_ms, let latitude = line.lat, let longitude = line.lon else {
        continue
      }
      // The log of a receiver past its week rollover: gpsd adds 1024 weeks, here the caller may.
      let candidates = try #require(found[time] ?? found[time - 7168 * 86_400_000], "\(time)")
      compared += 1
      let matches = candidates.contains { epoch in
        guard let place = epoch.fix.position, epoch.dimension.rawValue == line.mode else {
          return false
        }
        return abs(place.latitude.degrees - latitude) <= resolution
          && abs(place.longitude.degrees - longitude) <= resolution
      }
      #expect(matches, "\(time): \(candidates)")
      if let altitude = line.altMSL {
        let altitudes = line.any?.altMSL ?? [altitude]
        let near = candidates.contains { epoch in
          guard let found = epoch.fix.altitudeMetres else { return false }
          return altitudes.contains { abs($0 - found) <= 0.1 }
        }
        #expect(near, "\(time): \(altitude)")
      }
    }
    #expect(compared > 0)
  }

  @Test("In bytes and in random pieces a stream decodes the same", arguments: nmeaLogs + binaryLogs)
  func pieces(log: String) throws {
    let bytes = try #require(SharedData.bytes("data/gnss/\(log).log"))
    let whole = decode(bytes)
    let bytewise = decode(bytes, splitAt: Array(1..<bytes.count))
    #expect(whole.heard == bytewise.heard)
    #expect(whole.1 == bytewise.1)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<10 {
      let cuts = (0..<40).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
      let pieces = decode(bytes, splitAt: cuts)
      #expect(pieces.heard == whole.heard)
      #expect(pieces.1 == whole.1)
    }
  }

  @Test("Split at every position a stream decodes the same", arguments: ["tn204", "hab-gpspi"])
  func everySplit(log: String) throws {
    let bytes = try #require(SharedData.bytes("data/gnss/\(log).log"))
    let whole = decode(bytes)
    for position in 1..<bytes.count {
      let halves = decode(bytes, splitAt: [position])
      if halves.heard != whole.heard || halves.1 != whole.1 {
        Issue.record("split at \(position)")
        return
      }
    }
  }

  @Test("A binary stream split in two at every position of its frames decodes the same")
  func everyBinarySplit() throws {
    let all = try #require(SharedData.bytes("data/gnss/ublox8-uniqid-monhw.log"))
    let bytes = Array(all.prefix(3000))
    let whole = decode(bytes)
    #expect(whole.1.ubxFrames > 0)
    for position in 1..<bytes.count {
      let halves = decode(bytes, splitAt: [position])
      if halves.heard != whole.heard || halves.1 != whole.1 {
        Issue.record("split at \(position)")
        return
      }
    }
  }
}
