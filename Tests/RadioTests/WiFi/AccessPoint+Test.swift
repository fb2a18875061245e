import Radio

/// A scan defined by the test.
struct WrittenScan: AccessPointSource {
  var points: [AccessPoint]
  func accessPoints() throws(WiFiError) -> [AccessPoint] { points }
}

extension AccessPoint {
  /// An access point of a vendor, by its last byte.
  static func test(
    _ last: UInt8, _ signal: Int? = -60, name: String = "Net", first: UInt8 = 0, age: Double? = 1
  ) -> AccessPoint? {
    BSSID([first, 0x1A, 0x2B, 0, 0, last]).map {
      AccessPoint(
        bssid: $0, ssid: Array(name.utf8), signalDBm: signal, frequencyMHz: 2412, ageSeconds: age)
    }
  }
}
