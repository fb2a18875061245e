/// Repairs the checksums of a mutated stream. Without them, decoders would reject nearly every
/// mutation.
public enum ChecksumRepair {
  /// Writes a valid checksum into every complete sentence and binary frame, without changing
  /// lengths.
  public static func repair(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    var at = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "$") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "@"):
        at = repairSBF(bytes, at)
      case UInt8(ascii: "$"): at = repairSentence(bytes, at)
      case UInt8(ascii: "#"): at = repairLog(bytes, at)
      case 0xAA: at = repairBinaryLog(bytes, at)
      case 0xBA: at = repairCASIC(bytes, at)
      case 0xA0: at = repairSkyTraq(bytes, at)
      case 0xB5: at = repairUBX(bytes, at, second: 0x62)
      case 0xF1: at = repairUBX(bytes, at, second: 0xD9)
      case 0xD3: at = repairRTCM3(bytes, at)
      default: at += 1
      }
    }
  }

  private static func repairSentence(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int)
    -> Int
  {
    var end = start + 1
    while end < bytes.count, bytes[end] >= 0x20, bytes[end] < 0x7F, bytes[end] != UInt8(ascii: "$")
    {
      if bytes[end] == UInt8(ascii: "*") {
        guard end + 2 < bytes.count else { return bytes.count }
        let sum = FrameSums.exclusiveOr(bytes[(start + 1)..<end])
        (bytes[end + 1], bytes[end + 2]) = (Frames.digit(sum >> 4), Frames.digit(sum & 15))
        return end + 3
      }
      end += 1
    }
    return end
  }

  /// Repairs a frame of UBX, or of Allystar, which has another second byte.
  private static func repairUBX(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int, second: UInt8
  ) -> Int {
    guard start + 8 <= bytes.count, bytes[start + 1] == second else { return start + 1 }
    let end = start + 6 + Int(bytes[start + 4]) + Int(bytes[start + 5]) << 8
    guard end + 2 <= bytes.count else { return start + 1 }
    (bytes[end], bytes[end + 1]) = FrameSums.fletcher(bytes[(start + 2)..<end])
    return end + 2
  }

  private static func repairRTCM3(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int) -> Int {
    guard start + 6 <= bytes.count, bytes[start + 1] & 0xFC == 0 else { return start + 1 }
    let end = start + 3 + Int(bytes[start + 1] & 3) << 8 + Int(bytes[start + 2])
    guard end + 3 <= bytes.count else { return start + 1 }
    let sum = FrameSums.crc24Q(bytes[start..<end])
    bytes[end] = UInt8(sum >> 16)
    (bytes[end + 1], bytes[end + 2]) = (UInt8(sum >> 8 & 255), UInt8(sum & 255))
    return end + 3
  }

  private static func repairLog(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int) -> Int {
    var end = start + 1
    while end < bytes.count, bytes[end] >= 0x20, bytes[end] < 0x7F {
      if bytes[end] == UInt8(ascii: "*") {
        guard end + 8 < bytes.count else { return bytes.count }
        let sum = FrameSums.crc32(bytes[(start + 1)..<end])
        for index in 0..<8 {
          bytes[end + 1 + index] = Frames.digit(UInt8(sum >> (28 - 4 * UInt32(index)) & 15))
        }
        return end + 9
      }
      end += 1
    }
    return end
  }

  private static func repairSBF(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int) -> Int {
    guard start + 8 <= bytes.count else { return start + 1 }
    let length = Int(bytes[start + 6]) + Int(bytes[start + 7]) << 8
    guard length >= 8, start + length <= bytes.count else { return start + 1 }
    let sum = FrameSums.crc16(bytes[(start + 4)..<(start + length)])
    (bytes[start + 2], bytes[start + 3]) = (UInt8(sum & 255), UInt8(sum >> 8))
    return start + length
  }

  private static func repairBinaryLog(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int
  ) -> Int {
    guard start + 10 <= bytes.count, bytes[start + 1] == 0x44 else { return start + 1 }
    let end: Int
    switch bytes[start + 2] {
    case 0x12:
      end = start + Int(bytes[start + 3]) + Int(bytes[start + 8]) + Int(bytes[start + 9]) << 8
    case 0x13: end = start + 12 + Int(bytes[start + 3])
    case 0xB5: end = start + 24 + Int(bytes[start + 6]) + Int(bytes[start + 7]) << 8
    default: return start + 1
    }
    guard end + 4 <= bytes.count else { return start + 1 }
    write(FrameSums.crc32(bytes[start..<end]), bytes, end)
    return end + 4
  }

  private static func repairCASIC(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int) -> Int {
    guard start + 10 <= bytes.count, bytes[start + 1] == 0xCE else { return start + 1 }
    let end = start + 6 + Int(bytes[start + 2]) + Int(bytes[start + 3]) << 8
    guard end + 4 <= bytes.count else { return start + 1 }
    write(FrameSums.words(bytes[(start + 2)..<end]), bytes, end)
    return end + 4
  }

  private static func repairSkyTraq(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int
  ) -> Int {
    guard start + 7 <= bytes.count, bytes[start + 1] == 0xA1 else { return start + 1 }
    let end = start + 4 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
    guard end + 3 <= bytes.count else { return start + 1 }
    bytes[end] = FrameSums.exclusiveOr(bytes[(start + 4)..<end])
    return end + 3
  }

  /// Writes a sum, its lowest byte first.
  private static func write(
    _ sum: UInt32, _ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int
  ) {
    for index in 0..<4 { bytes[start + index] = UInt8(sum >> (8 * UInt32(index)) & 255) }
  }
}
