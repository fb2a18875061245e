/// The values of one heading; negative directions and accuracies are not known.
package struct HeadingValues: Equatable, Sendable {
  /// Clockwise from magnetic north, degrees.
  package var magneticHeading: Double
  /// Clockwise from true north, degrees.
  package var trueHeading: Double
  /// The bound of 95 % of the errors of the magnetic heading, degrees.
  package var headingAccuracy: Double
  /// The field along the device's right edge, microtesla.
  package var x: Double
  /// The field along the device's top, microtesla.
  package var y: Double
  /// The field out of the device's face, microtesla.
  package var z: Double
  /// The time of the heading.
  package var timestamp: Date
  /// The bound of 95 % of the errors of the true heading, degrees.
  package var trueHeadingAccuracy: Double?
  /// The strength of the field, microtesla.
  package var fieldStrength: Double?
  /// The inclination of the field below the horizon, degrees.
  package var inclination: Double?
  /// The direction of magnetic north clockwise from true north, degrees.
  package var declination: Double?
  /// Whether something disturbs the earth's field.
  package var isDisturbed: Bool?
  /// The attitude of the body that the heading refers to.
  package var attitude: CLAttitude?

  /// Makes values of which none is known.
  package init(timestamp: Date) {
    self.timestamp = timestamp
    (magneticHeading, trueHeading, headingAccuracy) = (0, -1, -1)
    (x, y, z) = (0, 0, 0)
  }
}

extension HeadingValues {
  // The archive's keys, each of a number.
  private static let keys: [(String, WritableKeyPath<HeadingValues, Double> & Sendable)] = [
    ("magneticHeading", \.magneticHeading), ("trueHeading", \.trueHeading),
    ("headingAccuracy", \.headingAccuracy), ("x", \.x), ("y", \.y), ("z", \.z),
  ]
  // Omitted where not known; archives of earlier releases have none of them.
  private static let optionalKeys: [(String, WritableKeyPath<HeadingValues, Double?> & Sendable)] =
    [
      ("trueHeadingAccuracy", \.trueHeadingAccuracy), ("fieldStrength", \.fieldStrength),
      ("inclination", \.inclination), ("declination", \.declination),
    ]
  private static let disturbedKey = "disturbed"
  private static let attitudeKeys = ["attitudeW", "attitudeX", "attitudeY", "attitudeZ"]
  private static let timestampKey = "timestamp"

  /// Reads the values; nil where a number is absent.
  init?(coder: NSCoder) {
    guard coder.containsValue(forKey: Self.timestampKey) else { return nil }
    let seconds = coder.decodeDouble(forKey: Self.timestampKey)
    self.init(timestamp: Date(timeIntervalSinceReferenceDate: seconds))
    for (key, path) in Self.keys {
      guard coder.containsValue(forKey: key) else { return nil }
      self[keyPath: path] = coder.decodeDouble(forKey: key)
    }
    for (key, path) in Self.optionalKeys where coder.containsValue(forKey: key) {
      self[keyPath: path] = coder.decodeDouble(forKey: key)
    }
    if coder.containsValue(forKey: Self.disturbedKey) {
      isDisturbed = coder.decodeBool(forKey: Self.disturbedKey)
    }
    guard Self.attitudeKeys.allSatisfy({ coder.containsValue(forKey: $0) }) else { return }
    let parts = Self.attitudeKeys.map { coder.decodeDouble(forKey: $0) }
    attitude = CLAttitude(
      rotation: CLQuaternion(w: parts[0], x: parts[1], y: parts[2], z: parts[3]))
  }

  /// Writes the values.
  func encode(with coder: NSCoder) {
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Self.timestampKey)
    for (key, path) in Self.keys { coder.encode(self[keyPath: path], forKey: key) }
    for (key, path) in Self.optionalKeys {
      if let number = self[keyPath: path] { coder.encode(number, forKey: key) }
    }
    if let isDisturbed { coder.encode(isDisturbed, forKey: Self.disturbedKey) }
    guard let q = attitude?.rotation else { return }
    for (key, part) in zip(Self.attitudeKeys, [q.w, q.x, q.y, q.z]) {
      coder.encode(part, forKey: key)
    }
  }
}
