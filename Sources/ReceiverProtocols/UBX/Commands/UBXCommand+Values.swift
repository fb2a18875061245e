/// Configuration of receivers of protocol version 27 and later, by key and value.
/// - Source: ZED-F9P interface description, UBX-18010854 R04, sections 5.9.25 to 5.9.27.
extension UBXCommand {
  /// Where a configuration is stored; the bits of `layers` in CFG-VALSET and CFG-VALDEL.
  public struct Layers: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a set of layers from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// In use now, lost without power.
    public static var ram: Layers { Layers(rawValue: 1) }
    /// Battery-backed RAM, where there is a battery.
    public static var batteryBacked: Layers { Layers(rawValue: 2) }
    /// Flash, where there is one.
    public static var flash: Layers { Layers(rawValue: 4) }
  }

  /// The layers that CFG-VALGET can poll, its `layer`.
  public enum Layer: UInt8, Sendable {
    /// In use now.
    case ram = 0
    /// Battery-backed RAM.
    case batteryBacked = 1
    /// Flash.
    case flash = 2
    /// The manufacturer's defaults.
    case `default` = 7
  }

  /// The most items in one message.
  public static var mostItems: Int { 64 }

  /// CFG-VALSET without a transaction: the receiver takes all of the values or none.
  /// - Returns: nil where a key has no value size, or where there are more than `mostItems`.
  public static func set(
    _ values: [(key: UBXConfigurationKey, value: UInt64)], in layers: Layers
  ) -> UBXCommand? {
    guard values.count <= mostItems, let data = configurationData(values) else { return nil }
    return UBXCommand(.setValues, payload: [0, layers.rawValue, 0, 0] + data)
  }

  /// CFG-VALGET: polls the values of some items.
  /// - Returns: nil where there are more than `mostItems`.
  public static func get(_ keys: [UBXConfigurationKey], from layer: Layer) -> UBXCommand? {
    guard keys.count <= mostItems else { return nil }
    // The last two bytes of the header: no items are skipped.
    return UBXCommand(.getValues, payload: keyed([0, layer.rawValue, 0, 0], keys))
  }

  /// CFG-VALDEL without a transaction: removes stored items, so that the values of the next layer
  /// apply.
  /// - Returns: nil where there are more than `mostItems`.
  public static func delete(_ keys: [UBXConfigurationKey], from layers: Layers) -> UBXCommand? {
    guard keys.count <= mostItems else { return nil }
    return UBXCommand(.deleteValues, payload: keyed([0, layers.rawValue, 0, 0], keys))
  }

  /// Keys and values in the layout of CFG-VALSET and of the answer to CFG-VALGET.
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
