/// The numbers of one heading; negative directions and accuracies are not known.
package struct HeadingValues: Equatable, Sendable {
  /// Clockwise from magnetic north, degrees.
  package var magneticHeading: Double
  /// Clockwise from true north, degrees.
  package var trueHeading: Double
  /// Holds 95 % of the errors of the magnetic heading, degrees.
  package var headingAccuracy: Double
  /// Field along the device's right edge, microtesla.
  package var x: Double
  /// Field along the device's top, microtesla.
  package var y: Double
  /// Field out of the device's face, microtesla.
  package var z: Double
  /// When the heading was taken.
  package var timestamp: Date
  /// Holds 95 % of the errors of the true heading, degrees.
  package var trueHeadingAccuracy: Double?
  /// Of the field, microtesla.
  package var fieldStrength: Double?
  /// Of the field below the horizon, degrees.
  package var inclination: Double?
  /// Magnetic north clockwise from true north, degrees.
  package var declination: Double?
  /// Whether the field is another than the earth's.
  package var isDisturbed: Bool?
  /// How the body that the heading is of stands.
  package var attitude: CLAttitude?

  /// Makes the values of a heading of which nothing is known.
  package init(timestamp: Date) {
    self.timestamp = timestamp
    (magneticHeading, trueHeading, headingAccuracy) = (0, -1, -1)
    (x, y, z) = (0, 0, 0)
  }
}

extension HeadingValues {
  // The archive's keys; a number under each.
  private static let keys: [(String, WritableKeyPath<HeadingValues, Double> & Sendable)] = [
    ("magneticHeading", \.magneticHeading), ("trueHeading", \.trueHeading),
    ("headingAccuracy", \.headingAccuracy), ("x", \.x), ("y", \.y), ("z", \.z),
  ]
  // Left out where nothing is known; archives of earlier releases have none of them.
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
