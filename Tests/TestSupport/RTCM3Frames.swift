/// Frames of RTCM 3 that another program has checked.
public enum RTCM3Frames {
  /// Frames of types 1005, 1077 and 1230 with checksums by pyrtcm 1.2.1.
  public static let checked: [[UInt8]] = [
    frame(1005, count: 19, checksum: [0x64, 0x04, 0xF2]),
    frame(1077, count: 300, checksum: [0xF5, 0xE5, 0x28]),
    frame(1230, count: 8, checksum: [0xC2, 0x0E, 0x49]),
  ]

  private static func frame(_ type: Int, count: Int, checksum: [UInt8]) -> [UInt8] {
    let head: [UInt8] = [
      0xD3, UInt8(count >> 8), UInt8(count & 255), UInt8(type >> 4), UInt8(type & 15) << 4,
    ]
    let payload = (0..<count - 2).map { (index: Int) -> UInt8 in UInt8((index * 37 + type) & 255) }
    return head + payload + checksum
  }
}
