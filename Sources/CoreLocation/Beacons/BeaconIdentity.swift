package import Monitoring

/// The values that identify beacons; nil matches any value.
package struct BeaconIdentity: Hashable, Sendable, CustomStringConvertible {
  /// The beacon's UUID.
  package var uuid: UUID
  /// The major value.
  package var major: UInt16?
  /// The minor value; nil without a major value.
  package var minor: UInt16?

  /// Makes an identity.
  package init(uuid: UUID, major: UInt16? = nil, minor: UInt16? = nil) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  /// The identity of the zero UUID, which no beacon has.
  static let zero = BeaconIdentity(
    uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

  /// The identity of a pattern; nil where its UUID is invalid.
  package init?(_ pattern: BeaconPattern) {
    guard let uuid = UUID(uuidString: pattern.uuid) else { return nil }
    self.init(uuid: uuid, major: pattern.major, minor: pattern.minor)
  }

  /// Reads an identity; nil where the archive holds none.
  init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
      let uuid = UUID(uuidString: String(describing: text))
    else { return nil }
    func value(_ key: String) -> UInt16? {
      coder.containsValue(forKey: key) ? UInt16(exactly: coder.decodeInteger(forKey: key)) : nil
    }
    self.init(uuid: uuid, major: value("major"), minor: value("minor"))
  }

  /// Writes the identity without nil values.
  func encode(with coder: NSCoder) {
    coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
    if let major { coder.encode(Int(major), forKey: "major") }
    if let minor { coder.encode(Int(minor), forKey: "minor") }
  }

  /// The identity in the form of monitoring.
  package var pattern: BeaconPattern {
    BeaconPattern(uuid: uuid.uuidString, major: major, minor: minor)
  }

  /// The three values in the form of Apple's descriptions.
  package var description: String {
    func text(_ value: UInt16?) -> String { value.map(String.init) ?? "(null)" }
    return "uuid:\(uuid.uuidString), major:\(text(major)), minor:\(text(minor))"
  }
}
