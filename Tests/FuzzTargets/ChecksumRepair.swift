/// Repairs the checksums of a mutated stream. Without them, decoders would reject nearly every
/// mutation.
public enum ChecksumRepair {
  /// Writes a valid checksum into every complete sentence and binary frame, without changing
  /// lengths.
  public static func repair(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    var at = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "$"): at = repairSentence(bytes, at)
      case 0xB5: at = repairUBX(bytes, at)
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

  private static func repairUBX(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ start: Int) -> Int {
    guard start + 8 <= bytes.count, bytes[start + 1] == 0x62 else { return start + 1 }
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
}
