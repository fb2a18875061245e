import Quantities

/// The image of CFG-TMODE: the values of `UBXConfigurationKey.timeMode` in their order.
/// - Source: ZED-F9P interface description, UBX-18010854 R04, section "CFG-TMODE".
enum UBXTimeMode {
  /// Offset and size of each value.
  private static let (mode, positionType, latitude, longitude) = ((0, 1), (1, 1), (2, 4), (6, 4))
  private static let (height, fineLatitude, fineLongitude) = ((10, 4), (14, 1), (15, 1))
  private static let (fineHeight, duration, limit) = ((16, 1), (17, 4), (21, 4))
  static let count = 25
  /// The position is latitude, longitude and height.
  private static let isGeodetic = 1

  /// The image that requests a mode; what it does not use stays as it is.
  static func image(_ base: BaseStation, over image: [UInt8]) -> [UInt8] {
    guard image.count == count else { return image }
    var image = image
    func write(_ value: Int, _ place: (offset: Int, bytes: Int)) {
      for byte in 0..<place.bytes {
        image[place.offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
      }
    }
    switch base {
    // A moving base differs from a rover in its messages alone.
    case .rover, .moving: write(0, mode)
    case .survey(let seconds, let metres):
      write(1, mode)
      write(seconds, duration)
      // Units of 0.1 mm.
      write(Int(bounded: ((metres ?? BaseStation.anyAccuracy) * 1e4).rounded()), limit)
    case .fixed(let north, let east, let up):
      write(2, mode)
      write(isGeodetic, positionType)
      // Units of 1e-9 degrees and 0.1 mm, of which the last two digits are values of their own.
      let units = [north * 1e9, east * 1e9, up * 1e4].map { Int64(bounded: $0.rounded()) }
      for (unit, places) in zip(
        units, [(latitude, fineLatitude), (longitude, fineLongitude), (height, fineHeight)])
      {
        write(Int(unit / 100), places.0)
        write(Int(unit % 100), places.1)
      }
    }
    return image
  }

  /// The mode of an image; nil for a position that is not geodetic.
  static func base(_ image: [UInt8]) -> BaseStation? {
    guard image.count == count else { return nil }
    func read(_ place: (offset: Int, bytes: Int)) -> Int {
      let value = image.littleEndian(at: place.offset, bytes: place.bytes)
      return place.bytes == 1
        ? Int(Int8(truncatingIfNeeded: value)) : Int(Int32(truncatingIfNeeded: value))
    }
    switch read(mode) {
    case 0: return .rover
    case 1: return .survey(seconds: read(duration), metres: Double(read(limit)) / 1e4)
    case 2 where read(positionType) == isGeodetic:
      func whole(_ place: (Int, Int), _ fine: (Int, Int)) -> Double {
        Double(read(place)) * 100 + Double(read(fine))
      }
      return .fixed(
        latitude: whole(latitude, fineLatitude) / 1e9,
        longitude: whole(longitude, fineLongitude) / 1e9, height: whole(height, fineHeight) / 1e4)
    default: return nil
    }
  }
}

extension UBXSetupItem {
  /// The values of the items that have been read, in the terms of all makers.
  static func values(_ items: [UBXSetupItem], on port: UBXPort) -> [ReceiverValue] {
    var values: [ReceiverValue] = []
    var sentences: [OutputSentence]?
    var (sendsUBX, sendsNMEA): (Bool?, Bool?) = (nil, nil)
    var (base, isMoving): (BaseStation?, Bool) = (nil, false)
    for item in items {
      guard let image = item.current else { continue }
      switch item.setting {
      case .rate:
        let period = image.littleEndian(at: 0, bytes: 2) * image.littleEndian(at: 2, bytes: 2)
        if period > 0 { values.append(.rate(1000 / Double(period))) }
      case .model:
        if let model = UBXDynamicModel(rawValue: image[0]) { values.append(.model(model)) }
      case .message(.navigationPVT): sendsUBX = item.isSent(image, on: port)
      case .protocols: sendsNMEA = item.sendsNMEA(image)
      case .sentence(let sentence):
        sentences = sentences ?? []
        if item.isSent(image, on: port) { sentences?.append(sentence) }
      case .systems:
        if let systems = item.systems(image) { values.append(.systems(systems)) }
      case .mask: values.append(.mask(Double(Int8(bitPattern: image[0]))))
      case .base:
        if case .olderBase(_, let mode) = item.form {
          base = mode.base(image)
        } else {
          base = UBXTimeMode.base(image)
        }
      case .correction(UBXSetting.movingBase): isMoving = item.isSent(image, on: port)
      case .heading: values.append(.heading(item.isSent(image, on: port)))
      case .baud: if let baud = speed(image) { values.append(.baud(baud)) }
      case .message, .baseMessages, .correction, .corrections: break
      }
    }
    if let base { values.append(.base(base == .rover && isMoving ? .moving : base)) }
    if let sendsUBX, let sendsNMEA {
      values.append(.messages(sendsUBX ? sendsNMEA ? .both : .ubx : .nmea))
    }
    if let sentences { values.append(.sentences(sentences)) }
    return values
  }

  /// Whether a rate of a message is not zero: of one byte, or of six ports.
  private func isSent(_ image: [UInt8], on port: UBXPort) -> Bool {
    image[image.count == 6 ? Int(port.rawValue) : 0] > 0
  }

  private func sendsNMEA(_ image: [UInt8]) -> Bool {
    guard image.count == 2 else { return image[0] > 0 }
    return UInt16(image.littleEndian(at: 0, bytes: 2)) & UBXWireProtocol.nmea.portBit != 0
  }
}
