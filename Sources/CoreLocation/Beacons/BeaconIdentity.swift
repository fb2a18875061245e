package import Monitoring

/// The values that tell beacons apart; what is nil may be anything.
package struct BeaconIdentity: Hashable, Sendable, CustomStringConvertible {
  /// The beacon's UUID.
  package var uuid: UUID
  /// The major value.
  package var major: UInt16?
  /// The minor value; only where there is a major one.
  package var minor: UInt16?

  /// Makes an identity.
  package init(uuid: UUID, major: UInt16? = nil, minor: UInt16? = nil) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  /// Every beacon of the UUID that is all zero, which no beacon has.
  static let zero = BeaconIdentity(
    uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

  /// The identity of a pattern; nil where its UUID is none.
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

  /// Writes the identity; what is nil is left out.
  func encode(with coder: NSCoder) {
    coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
    if let major { coder.encode(Int(major), forKey: "major") }
    if let minor { coder.encode(Int(minor), forKey: "minor") }
  }

  /// As monitoring takes it.
  package var pattern: BeaconPattern {
    BeaconPattern(uuid: uuid.uuidString, major: major, minor: minor)
  }

  /// The three values as Apple's descriptions write them.
  package var description: String {
    func text(_ value: UInt16?) -> String { value.map(String.init) ?? "(null)" }
    return "uuid:\(uuid.uuidString), major:\(text(major)), minor:\(text(minor))"
  }
}
