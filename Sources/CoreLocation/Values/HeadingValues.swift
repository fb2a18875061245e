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
  }

  /// Writes the values.
  func encode(with coder: NSCoder) {
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Self.timestampKey)
    for (key, path) in Self.keys { coder.encode(self[keyPath: path], forKey: key) }
  }
}
