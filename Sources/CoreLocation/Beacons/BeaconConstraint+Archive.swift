internal import Radio

extension BeaconConstraint {
  /// Reads the values; nil where the archive holds none.
  init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
      let uuid = UUID(uuidString: String(describing: text))
    else { return nil }
    func value(_ key: String) -> UInt16? {
      coder.containsValue(forKey: key) ? UInt16(exactly: coder.decodeInteger(forKey: key)) : nil
    }
    self.init(uuid: uuid, major: value("major"), minor: value("minor"))
  }

  /// Writes the values that are not nil.
  func encode(with coder: NSCoder) {
    coder.encode(NSString(string: uuid.uuidString), forKey: "uuid")
    if let major { coder.encode(Int(major), forKey: "major") }
    if let minor { coder.encode(Int(minor), forKey: "minor") }
  }

  /// The three values in the form of Apple's descriptions.
  var text: String {
    func text(_ value: UInt16?) -> String { value.map(String.init) ?? "(null)" }
    return "uuid:\(uuid.uuidString), major:\(text(major)), minor:\(text(minor))"
  }
}

extension UUID {
  /// The UUID that no beacon has.
  static var zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
