internal import JSON
internal import Quantities

extension LocationValues {
  // The archive's keys, each of a number.
  private static let keys: [(String, WritableKeyPath<LocationValues, Double> & Sendable)] = [
    ("latitude", \.latitude), ("longitude", \.longitude),
    ("horizontalAccuracy", \.horizontalAccuracy), ("altitude", \.altitude),
    ("ellipsoidalAltitude", \.ellipsoidalAltitude), ("verticalAccuracy", \.verticalAccuracy),
    ("course", \.course), ("courseAccuracy", \.courseAccuracy), ("speed", \.speed),
    ("speedAccuracy", \.speedAccuracy),
  ]
  private static let timestampKey = "timestamp"
  private static let floorKey = "floor"
  private static let simulatedKey = "simulated"
  private static let accessoryKey = "accessory"
  private static let detailsKey = "details"

  /// Reads the values; nil where a number is absent.
  init?(coder: NSCoder) {
    guard coder.containsValue(forKey: Self.timestampKey) else { return nil }
    let seconds = coder.decodeDouble(forKey: Self.timestampKey)
    self.init(
      latitude: 0, longitude: 0, timestamp: Date(timeIntervalSinceReferenceDate: seconds))
    for (key, path) in Self.keys {
      guard coder.containsValue(forKey: key) else { return nil }
      self[keyPath: path] = coder.decodeDouble(forKey: key)
    }
    if coder.containsValue(forKey: Self.floorKey) {
      floor = coder.decodeInteger(forKey: Self.floorKey)
    }
    if coder.containsValue(forKey: Self.simulatedKey) {
      isSimulated = coder.decodeBool(forKey: Self.simulatedKey)
      isFromAccessory = coder.decodeBool(forKey: Self.accessoryKey)
    }
    // Decoding a missing key fails the whole archive.
    guard coder.containsValue(forKey: Self.detailsKey) else { return }
    if let json = coder.decodeObject(of: NSData.self, forKey: Self.detailsKey) {
      do {
        let bytes = Data(referencing: json)
        try JSONText.check(bytes)
        details = try JSONDecoder().decode(LocationDetails.self, from: bytes)
      } catch {
        // From another release: Apple's members are complete without the details.
        details = nil
      }
    }
  }

  /// Writes the known values.
  func encode(with coder: NSCoder) {
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Self.timestampKey)
    for (key, path) in Self.keys { coder.encode(self[keyPath: path], forKey: key) }
    if let floor { coder.encode(floor, forKey: Self.floorKey) }
    if let isSimulated, let isFromAccessory {
      coder.encode(isSimulated, forKey: Self.simulatedKey)
      coder.encode(isFromAccessory, forKey: Self.accessoryKey)
    }
    guard let details else { return }
    do {
      coder.encode(try JSONEncoder().encode(details) as NSData, forKey: Self.detailsKey)
    } catch {
      // NaN cannot be encoded; Apple's members are complete without the details.
      return
    }
  }
}
