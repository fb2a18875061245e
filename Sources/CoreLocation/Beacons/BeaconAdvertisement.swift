/// The payload of a beacon's manufacturer data after the prefix.
struct BeaconAdvertisement {
  /// UUID, major and minor value big-endian, measured power: 21 bytes.
  let bytes: [UInt8]

  /// Makes the bytes; a nil value is 0.
  init(_ identity: BeaconIdentity, measuredPower: Int8) {
    let uuid = withUnsafeBytes(of: identity.uuid.uuid) { Array($0) }
    let numbers = [identity.major ?? 0, identity.minor ?? 0]
    let values = numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    bytes = uuid + values + [UInt8(bitPattern: measuredPower)]
  }
}
