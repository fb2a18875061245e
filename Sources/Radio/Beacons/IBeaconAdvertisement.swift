import FoundationEssentials

/// The advertisement of an iBeacon, usually sent ten times a second.
/// - Source: Apple, Proximity Beacon Specification, Release R1 (2015): company 0x004C
///   little-endian, beacon type 0x02 0x15 (0x15 is the length of what follows, 21 bytes), UUID,
///   major and minor big-endian, measured power signed.
public struct IBeaconAdvertisement: Equatable, Sendable {
  /// Apple's number among the Bluetooth SIG's company identifiers.
  public static let company: UInt16 = 0x004C
  /// For adapters without a measurement, dBm at 1 m: the value in Apple's sample code (AirLocate).
  public static let usualMeasuredPowerDBm: Int8 = -59
  /// Type and length: the first bytes after the company.
  static let prefix: [UInt8] = [0x02, 0x15]
  private static let beaconDataCount = 21

  /// The sender's identity.
  public var identity: BeaconIdentity
  /// The signal strength at 1 m, dBm.
  public var measuredPowerDBm: Int8

  /// Makes an advertisement.
  public init(identity: BeaconIdentity, measuredPowerDBm: Int8 = usualMeasuredPowerDBm) {
    self.identity = identity
    self.measuredPowerDBm = measuredPowerDBm
  }

  /// Reads manufacturer data; nil if it is not an iBeacon's.
  /// - Parameters:
  ///   - data: The bytes after the company, at least 23; further bytes are ignored.
  ///   - company: The company.
  public init?(manufacturerData data: some Collection<UInt8>, company: UInt16) {
    let bytes = Array(data.prefix(Self.prefix.count + Self.beaconDataCount))
    guard company == Self.company, bytes.count == Self.prefix.count + Self.beaconDataCount,
      bytes.starts(with: Self.prefix)
    else { return nil }
    func word(_ index: Int) -> UInt16 { UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]) }
    let b = bytes[2..<18].map { $0 }
    let uuid = UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
    identity = BeaconIdentity(uuid: uuid, major: word(18), minor: word(20))
    measuredPowerDBm = Int8(bitPattern: bytes[22])
  }

  /// UUID, major, minor and power, 21 bytes: the format of Core Bluetooth.
  public var beaconData: [UInt8] {
    let uuid = withUnsafeBytes(of: identity.uuid.uuid) { Array($0) }
    let words = [identity.major, identity.minor].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return uuid + words + [UInt8(bitPattern: measuredPowerDBm)]
  }

  /// The manufacturer data after the company, 23 bytes: the value of the key 0x004C of
  /// `ManufacturerData` in BlueZ's LEAdvertisement1.
  public var manufacturerData: [UInt8] { Self.prefix + beaconData }

  /// The manufacturer data with the company, 25 bytes, as sent after length and type.
  public var payload: [UInt8] {
    [UInt8(Self.company & 0xFF), UInt8(Self.company >> 8)] + manufacturerData
  }
}
