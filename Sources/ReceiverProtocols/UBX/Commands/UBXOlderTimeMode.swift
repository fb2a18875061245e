import Quantities

/// The messages by which receivers before protocol version 27 become base stations.
/// - Source: u-blox 8 / M8 receiver description, UBX-13003221, CFG-TMODE2, CFG-TMODE3 and "RTCM
///   output messages"; the same in pyubx2 1.4.0.
enum UBXOlderTimeMode: Sendable {
  /// CFG-TMODE2 of the timing receivers: whole units of 1e-7 degrees and centimetres.
  case two
  /// CFG-TMODE3 of NEO-M8P, with parts of 1e-9 degrees and 0.1 mm.
  case three

  /// The messages of RTCM 3, each with its name in CFG-MSG.
  static var corrections: [(number: UInt16, name: UBXMessageName)] {
    [
      (place, UBXMessageName(0xF5, 0x05)), (1077, UBXMessageName(0xF5, 0x4D)),
      (1087, UBXMessageName(0xF5, 0x57)), (1127, UBXMessageName(0xF5, 0x7F)),
      (1230, UBXMessageName(0xF5, 0xE6)), (UBXSetting.movingBase, UBXMessageName(0xF5, 0xFE)),
    ]
  }
  /// The message with the place of a base station that does not move.
  static var place: UInt16 { 1005 }

  var name: UBXMessageName { self == .two ? .timeMode2 : .timeMode3 }
  /// Bytes of the payload.
  var count: Int { self == .two ? 28 : 40 }

  /// Offsets in the payload.
  private var mode: Int { self == .two ? 0 : 2 }
  private var isGeodetic: (offset: Int, bit: UInt8) { self == .two ? (2, 1) : (3, 1) }
  private var place: Int { 4 }
  private var fine: Int { 16 }
  private var duration: Int { self == .two ? 20 : 24 }
  private var limit: Int { self == .two ? 24 : 28 }
  /// Units of the accuracy in a metre.
  private var perMetre: Double { self == .two ? 1000 : 10_000 }

  /// The payload that requests a mode; what it does not use stays as it is.
  func image(_ base: BaseStation, over image: [UInt8]) -> [UInt8] {
    guard image.count == count else { return image }
    var image = image
    func write(_ value: Int, _ offset: Int, _ bytes: Int) {
      for byte in 0..<bytes {
        image[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
      }
    }
    switch base {
    case .rover, .moving: image[mode] = 0
    case .survey(let seconds, let metres):
      image[mode] = 1
      write(seconds, duration, 4)
      write(Int(bounded: ((metres ?? BaseStation.anyAccuracy) * perMetre).rounded()), limit, 4)
    case .fixed(let north, let east, let up):
      image[mode] = 2
      image[isGeodetic.offset] |= isGeodetic.bit
      for (index, value) in [north * 1e7, east * 1e7, up * 100].enumerated() {
        let hundredths = Int64(bounded: (value * 100).rounded())
        if self == .three {
          write(Int(hundredths / 100), place + 4 * index, 4)
          write(Int(hundredths % 100), fine + index, 1)
        } else {
          write(Int(bounded: value.rounded()), place + 4 * index, 4)
        }
      }
    }
    return image
  }

  /// The mode of a payload; nil for a position that is not geodetic.
  func base(_ image: [UInt8]) -> BaseStation? {
    guard image.count == count else { return nil }
    func read(_ offset: Int) -> Int {
      Int(Int32(truncatingIfNeeded: image.littleEndian(at: offset, bytes: 4)))
    }
    switch image[mode] {
    case 0: return .rover
    case 1: return .survey(seconds: read(duration), metres: Double(read(limit)) / perMetre)
    case 2 where image[isGeodetic.offset] & isGeodetic.bit != 0:
      func whole(_ index: Int) -> Double {
        let part = self == .three ? Double(Int8(bitPattern: image[fine + index])) / 100 : 0
        return Double(read(place + 4 * index)) + part
      }
      return .fixed(
        latitude: whole(0) / 1e7, longitude: whole(1) / 1e7, height: whole(2) / 100)
    default: return nil
    }
  }
}
