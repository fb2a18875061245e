/// What a beacon says of itself after the prefix of its manufacturer data.
struct BeaconAdvertisement {
  /// UUID, major and minor value big-endian, measured power: 21 bytes.
  let bytes: [UInt8]

  /// Makes the bytes; a value that is nil is 0.
  init(_ identity: BeaconIdentity, measuredPower: Int8) {
    let uuid = withUnsafeBytes(of: identity.uuid.uuid) { Array($0) }
    let numbers = [identity.major ?? 0, identity.minor ?? 0]
    let values = numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    bytes = uuid + values + [UInt8(bitPattern: measuredPower)]
  }
}
