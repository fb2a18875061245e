/// Builds valid sentences and frames.
enum Frames {
  static func sentence(_ body: some Collection<UInt8>) -> [UInt8] {
    let sum = FrameSums.exclusiveOr(body)
    var line: [UInt8] = [UInt8(ascii: "$")]
    line += body
    line += [UInt8(ascii: "*"), digit(sum >> 4), digit(sum & 15)]
    line += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    return line
  }

  static func sentence(_ body: String) -> [UInt8] { sentence(Array(body.utf8)) }

  /// Synchronisation bytes, class, id, length, payload and checksum.
  /// - Source: u-blox M8 receiver description UBX-13003221, section 32.2.
  static func ubx(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let counted =
      [messageClass, id, UInt8(payload.count & 255), UInt8(payload.count >> 8)] + payload
    let (a, b) = FrameSums.fletcher(counted)
    return [0xB5, 0x62] + counted + [a, b]
  }

  /// Preamble, six zero bits, ten bits of length, payload and CRC-24Q.
  /// - Source: RTCM 10403.x, section 4.
  static func rtcm3(_ payload: [UInt8]) -> [UInt8] {
    let counted = [0xD3, UInt8(payload.count >> 8 & 3), UInt8(payload.count & 255)] + payload
    let sum = FrameSums.crc24Q(counted)
    return counted + [UInt8(sum >> 16), UInt8(sum >> 8 & 255), UInt8(sum & 255)]
  }

  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
