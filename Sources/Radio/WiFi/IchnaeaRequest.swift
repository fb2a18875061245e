import FoundationEssentials
import Quantities

/// The request to an Ichnaea-compatible service.
/// - Source: Ichnaea, docs/api/geolocate.rst.
package struct IchnaeaRequest: Encodable, Equatable {
  /// "The minimum of two networks is a mandatory privacy restriction."
  static let fewest = 2
  /// Only the strongest are sent; more do not improve the position.
  static let most = 40

  package struct Radio: Encodable, Equatable {
    var macAddress: String
    /// dBm.
    package var signalStrength: Int?
    /// MHz.
    var frequency: Int?
    /// Milliseconds.
    var age: Int?
  }

  /// No fallback to this machine's IP address: its position may be in another city or country.
  let considerIp = false
  package var wifiAccessPoints: [Radio]

  /// Selects the access points that may be sent.
  /// - Parameters:
  ///   - points: The access points of a scan.
  ///   - oldestSeconds: The largest age.
  /// - Throws: `tooFew` below the service's minimum.
  package init(_ points: [AccessPoint], oldestSeconds: Double) throws(WiFiError) {
    var strongest: [BSSID: AccessPoint] = [:]
    for point in points where point.mayBeSent && (point.ageSeconds ?? 0) <= oldestSeconds {
      // Two adapters may report the same access point.
      if let known = strongest[point.bssid], Self.strength(known) >= Self.strength(point) {
        continue
      }
      strongest[point.bssid] = point
    }
    guard strongest.count >= Self.fewest else { throw WiFiError(.tooFew(strongest.count)) }
    let sorted = strongest.values.sorted { a, b in
      (Self.strength(a), b.bssid.description) > (Self.strength(b), a.bssid.description)
    }
    wifiAccessPoints = sorted.prefix(Self.most).map { point in
      Radio(
        macAddress: point.bssid.description, signalStrength: point.signalDBm,
        frequency: point.frequencyMHz,
        age: point.ageSeconds.map { Int(bounded: (max(0, min($0, 86_400)) * 1000).rounded()) })
    }
  }

  private static func strength(_ point: AccessPoint) -> Int { point.signalDBm ?? Int.min }

  package var body: Data {
    get throws(WiFiError) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      do {
        return try encoder.encode(self)
      } catch {
        throw WiFiError(.badAnswer("the request cannot be written: \(error)"))
      }
    }
  }
}
