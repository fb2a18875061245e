/// Configuration by key and value, of receivers of protocol version 27 and later.
/// - Source: ZED-F9P interface description, UBX-18010854 R04, sections 5.9.25 to 5.9.27.
extension UBXCommand {
  /// Where a configuration lies; the bits of `layers` in CFG-VALSET and CFG-VALDEL.
  public struct Layers: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a set of layers from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// In force now, lost with the power.
    public static var ram: Layers { Layers(rawValue: 1) }
    /// Kept by the battery, where there is one.
    public static var batteryBacked: Layers { Layers(rawValue: 2) }
    /// Kept without power, where there is a flash.
    public static var flash: Layers { Layers(rawValue: 4) }
  }

  /// What CFG-VALGET can ask, by its `layer`.
  public enum Layer: UInt8, Sendable {
    /// In force now.
    case ram = 0
    /// Kept by the battery.
    case batteryBacked = 1
    /// Kept without power.
    case flash = 2
    /// The maker's.
    case `default` = 7
  }

  /// Items that one message may hold.
  public static var mostItems: Int { 64 }

  /// CFG-VALSET, without a transaction: all of the values are taken, or none.
  /// - Returns: nil where a key names no size, or where there are more than `mostItems`.
  public static func set(
    _ values: [(key: UBXConfigurationKey, value: UInt64)], in layers: Layers
  ) -> UBXCommand? {
    guard values.count <= mostItems, let data = configurationData(values) else { return nil }
    return UBXCommand(.setValues, payload: [0, layers.rawValue, 0, 0] + data)
  }

  /// CFG-VALGET: asks for the values of some items.
  /// - Returns: nil where there are more than `mostItems`.
  public static func get(_ keys: [UBXConfigurationKey], from layer: Layer) -> UBXCommand? {
    guard keys.count <= mostItems else { return nil }
    // The last two bytes of the header: no items are skipped.
    return UBXCommand(.getValues, payload: keyed([0, layer.rawValue, 0, 0], keys))
  }

  /// CFG-VALDEL, without a transaction: takes items out of what is kept, so that those of the next layer hold.
  /// - Returns: nil where there are more than `mostItems`.
  public static func delete(_ keys: [UBXConfigurationKey], from layers: Layers) -> UBXCommand? {
    guard keys.count <= mostItems else { return nil }
    return UBXCommand(.deleteValues, payload: keyed([0, layers.rawValue, 0, 0], keys))
  }

  /// Keys and values as CFG-VALSET and the answer to CFG-VALGET have them.
  static func configurationData(
    _ values: [(key: UBXConfigurationKey, value: UInt64)]
  ) -> [UInt8]? {
    var data: [UInt8] = []
    for (key, value) in values {
      guard let bytes = key.valueBytes else { return nil }
      data.appendLittleEndian(key.number)
      data.append(value, bytes: bytes)
    }
    return data
  }

  private static func keyed(_ header: [UInt8], _ keys: [UBXConfigurationKey]) -> [UInt8] {
    var payload = header
    for key in keys { payload.appendLittleEndian(key.number) }
    return payload
  }
}
