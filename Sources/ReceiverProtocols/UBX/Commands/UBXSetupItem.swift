import Quantities

/// One setting in the receiver's own terms: how to read it, change it and write it back.
///
/// Its value is an image: only the bytes that change. For a receiver with configuration keys these
/// are the values in order, for an older one the fields of its message.
struct UBXSetupItem: Sendable {
  /// How the receiver represents the setting.
  enum Form: Sendable {
    /// By keys, with the requested values.
    case values([(key: UBXConfigurationKey, value: UInt64)])
    /// The first four bytes of CFG-RATE: the period and the measurements per solution.
    case rate(periodMilliseconds: UInt16)
    /// The third byte of CFG-NAV5.
    case navigation(UBXDynamicModel)
    /// The six rates of CFG-MSG, with the requested rate of one port.
    case message(UBXMessageName, rate: UInt8, port: UBXPort)
    /// The `inProtoMask` of CFG-PRT, at offset 12, with RTCM 3 enabled.
    case takesRTCM3
    /// The `outProtoMask` of CFG-PRT, at offset 14, with NMEA enabled or disabled.
    case givesNMEA(Bool)
    /// The baud rate in CFG-PRT, at offset 8.
    case baud(UInt32)
    /// The thirteenth byte of CFG-NAV5.
    case mask(Int8)
    /// The enabled systems among the keys of CFG-SIGNAL: a byte each, `absent` for one that the
    /// receiver does not have.
    case systems([Constellation])
    /// The enabled systems in CFG-GNSS, whose whole payload is the image.
    case olderSystems([Constellation])
    /// The keys of CFG-TMODE.
    case base(BaseStation)
    /// The whole of CFG-TMODE3 or CFG-TMODE2.
    case olderBase(BaseStation, UBXOlderTimeMode)
    /// The `outProtoMask` of CFG-PRT, with RTCM 3 enabled or disabled.
    case givesRTCM3(Bool)
  }

  let setting: UBXSetting
  let form: Form
  /// The value before the first set-up; nil where it is not known.
  var original: [UInt8]?
  /// The value that was last read.
  var current: [UInt8]?
  /// The last message of an older receiver, whose other fields are written back unchanged.
  var message: [UInt8] = []
  /// True once a change may have reached the receiver.
  var isTouched = false

  init(_ setting: UBXSetting, _ form: Form) {
    self.setting = setting
    self.form = form
  }

  /// The command that polls the value.
  var poll: UBXCommand? {
    switch form {
    case .values(let values): .get(values.map { $0.key }, from: .ram)
    case .rate: .askRate
    case .navigation: .askNavigation
    case .message(let name, _, _): .askRate(of: name)
    case .takesRTCM3, .givesNMEA, .givesRTCM3, .baud: .askPort
    case .olderBase(_, let mode): UBXCommand(mode.name)
    case .mask: .askNavigation
    case .systems: .get([.allSignals], from: .ram)
    case .olderSystems: UBXCommand(.systems)
    case .base: .get(UBXConfigurationKey.timeMode, from: .ram)
    }
  }

  /// The byte of a system that the receiver does not have.
  private static var absent: UInt8 { 0xFF }

  /// Offset and length of the image in the message of an older receiver, and the message's length.
  private var place: (offset: Int, count: Int, message: Int)? {
    switch form {
    case .values, .systems, .olderSystems, .base: nil
    case .mask: (12, 1, UBXCommand.navigationBytes)
    case .rate: (0, 4, 6)
    case .navigation: (2, 1, UBXCommand.navigationBytes)
    case .message: (2, 6, 8)
    case .takesRTCM3: (12, 2, 20)
    case .givesNMEA, .givesRTCM3: (14, 2, 20)
    case .olderBase(_, let mode): (0, mode.count, mode.count)
    case .baud: (8, 4, 20)
    }
  }

  /// Reads the answer to the poll; false where it is an answer to another one.
  mutating func read(_ payload: [UInt8]) -> Bool {
    guard let place else {
      switch form {
      case .systems: return readSystems(payload)
      case .olderSystems:
        guard payload.count > 4, payload.count == 4 + 8 * Int(payload[3]) else { return false }
        current = payload
        return true
      case .base: return readValues(payload, of: UBXConfigurationKey.timeMode)
      case .values(let wanted): return readValues(payload, of: wanted.map { $0.key })
      default: return false
      }
    }
    guard payload.count == place.message else { return false }
    if case .message(let name, _, _) = form,
      payload[0] != name.messageClass || payload[1] != name.number
    {
      return false
    }
    message = payload
    current = Array(payload[place.offset..<place.offset + place.count])
    return true
  }

  /// Reads the answer to the wildcard; at least one system must be in it.
  private mutating func readSystems(_ payload: [UInt8]) -> Bool {
    guard payload.count > 4, payload[0] == 1 else { return false }
    let image = Constellation.allCases.map { system in
      Self.value(of: .enables(system), in: payload[4...])?.first ?? Self.absent
    }
    guard image.contains(where: { $0 != Self.absent }) else { return false }
    current = image
    return true
  }

  private mutating func readValues(_ payload: [UInt8], of keys: [UBXConfigurationKey]) -> Bool {
    // Version 1 is the answer, version 0 the poll.
    guard payload.count > 4, payload[0] == 1 else { return false }
    var image: [UInt8] = []
    // The receiver may send them in another order.
    for key in keys {
      guard let value = Self.value(of: key, in: payload[4...]) else { return false }
      image += value
    }
    current = image
    return true
  }

  private static func value(
    of key: UBXConfigurationKey, in data: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    var rest = data
    while rest.count > 4 {
      let found = UBXConfigurationKey(
        number: UInt32(Array(rest.prefix(4)).littleEndian(at: 0, bytes: 4)))
      guard let bytes = found.valueBytes, rest.count >= 4 + bytes else { return nil }
      let value = rest.dropFirst(4).prefix(bytes)
      if found == key { return value }
      rest = rest.dropFirst(4 + bytes)
    }
    return nil
  }

  /// The requested value, given the current one.
  var wanted: [UInt8]? {
    guard var image = current else { return nil }
    switch form {
    case .values(let values):
      image = []
      for (key, value) in values { image.append(value, bytes: key.valueBytes ?? 0) }
    case .rate(let period):
      image = []
      image.appendLittleEndian(period)
      image.appendLittleEndian(UInt16(1))
    case .navigation(let model): image = [model.rawValue]
    case .message(_, let rate, let port): image[Int(port.rawValue)] = rate
    case .takesRTCM3: image = Self.mask(image, .rtcm3, true)
    case .givesNMEA(let gives): image = Self.mask(image, .nmea, gives)
    case .givesRTCM3(let gives): image = Self.mask(image, .rtcm3, gives)
    case .olderBase(let base, let mode): image = mode.image(base, over: image)
    case .baud(let baud):
      image = []
      image.appendLittleEndian(baud)
    case .mask(let degrees): image = [UInt8(bitPattern: degrees)]
    case .systems(let systems):
      for (index, system) in Constellation.allCases.enumerated() where image[index] != Self.absent {
        image[index] = systems.contains(system) ? 1 : 0
      }
    case .olderSystems(let systems):
      for start in stride(from: 4, to: image.count, by: 8) {
        guard let system = Constellation(rawValue: image[start]) else { continue }
        image[start + 4] = image[start + 4] & 0xFE | (systems.contains(system) ? 1 : 0)
      }
    case .base(let base): image = UBXTimeMode.image(base, over: image)
    }
    return image
  }

  /// The systems that an image enables; nil for another setting.
  func systems(_ image: [UInt8]) -> [Constellation]? {
    switch form {
    case .systems:
      return Constellation.allCases.enumerated().filter { image[$0.offset] == 1 }.map { $0.element }
    case .olderSystems:
      return stride(from: 4, to: image.count, by: 8).compactMap {
        image[$0 + 4] & 1 == 1 ? Constellation(rawValue: image[$0]) : nil
      }
    default: return nil
    }
  }

  /// Requested systems that the receiver does not have.
  var missingSystems: [Constellation] {
    guard case .systems(let wanted) = form, let current else { return [] }
    let all = Constellation.allCases
    return wanted.filter { system in
      all.firstIndex(of: system).map { current[$0] == Self.absent } ?? true
    }
  }

  private static func mask(_ image: [UInt8], _ wire: UBXWireProtocol, _ isOn: Bool) -> [UInt8] {
    let others = UInt16(image.littleEndian(at: 0, bytes: 2)) & ~wire.portBit
    var result: [UInt8] = []
    result.appendLittleEndian(isOn ? others | wire.portBit : others)
    return result
  }

  /// The command that writes a value.
  func command(writing image: [UInt8], in layers: UBXCommand.Layers = .ram) -> UBXCommand? {
    guard let place else {
      if case .olderSystems = form { return UBXCommand(.systems, payload: image) }
      guard let pairs = pairs(image) else { return nil }
      return .set(pairs, in: layers)
    }
    guard message.count == place.message, image.count == place.count else { return nil }
    var payload = message
    payload.replaceSubrange(place.offset..<place.offset + place.count, with: image)
    switch form {
    // The mask selects the dynamic model alone.
    case .navigation: (payload[0], payload[1]) = (0x01, 0x00)
    case .mask: (payload[0], payload[1]) = (0x02, 0x00)
    default: break
    }
    return UBXCommand(form.name, payload: payload)
  }

  /// Keys and values of an image.
  func pairs(_ image: [UInt8]) -> [(key: UBXConfigurationKey, value: UInt64)]? {
    var pairs: [(key: UBXConfigurationKey, value: UInt64)] = []
    let keys: [UBXConfigurationKey]
    switch form {
    case .values(let wanted): keys = wanted.map { $0.key }
    case .base: keys = UBXConfigurationKey.timeMode
    case .systems:
      for (index, system) in Constellation.allCases.enumerated() where image[index] != Self.absent {
        pairs.append((.enables(system), UInt64(image[index])))
      }
      return pairs
    default: return nil
    }
    var offset = 0
    for key in keys {
      guard let bytes = key.valueBytes, offset + bytes <= image.count else { return nil }
      pairs.append((key, image.littleEndian(at: offset, bytes: bytes)))
      offset += bytes
    }
    return pairs
  }

  /// The baud rate in an image of `setting` `.baud`.
  static func speed(_ image: [UInt8]) -> Int? {
    image.count == 4 ? Int(image.littleEndian(at: 0, bytes: 4)) : nil
  }
}

extension UBXSetupItem.Form {
  /// The message that carries the setting.
  var name: UBXMessageName {
    switch self {
    case .values, .systems, .base: .setValues
    case .olderSystems: .systems
    case .rate: .rate
    case .navigation, .mask: .navigation
    case .message: .messageRate
    case .takesRTCM3, .givesNMEA, .givesRTCM3, .baud: .port
    case .olderBase(_, let mode): mode.name
    }
  }
}

extension UBXSetupItem {
  /// The settings of a request in the receiver's terms, for one port; the baud rate comes last.
  static func items(
    _ request: UBXSetupRequest, hasValues: Bool, module: String?, on port: UBXPort
  ) -> [UBXSetupItem] {
    var items: [UBXSetupItem] = []
    func add(
      _ setting: UBXSetting, _ values: [(key: UBXConfigurationKey, value: UInt64)], _ older: Form
    ) {
      items.append(UBXSetupItem(setting, hasValues ? .values(values) : older))
    }
    if let period = request.periodMilliseconds {
      add(
        .rate, [(.measurementPeriod, UInt64(period)), (.measurementsPerSolution, 1)],
        .rate(periodMilliseconds: period))
    }
    if let model = request.model {
      add(.model, [(.dynamicModel, UInt64(model.rawValue))], .navigation(model))
    }
    if let messages = request.messages {
      for message in UBXOutputMessage.allCases {
        let enabled = message == .navigationSatellites ? request.solutionsPerSky : 1
        let rate = messages == .nmea ? 0 : enabled
        add(
          .message(message), [(.rate(of: message, on: port), UInt64(rate))],
          .message(message.name, rate: rate, port: port))
      }
    }
    // UBX output needs no change: the port sends it already, as it has answered.
    if let messages = request.messages {
      let givesNMEA = messages != .ubx
      add(.protocols, [(.sends(.nmea, on: port), givesNMEA ? 1 : 0)], .givesNMEA(givesNMEA))
    }
    for sentence in request.sentences == nil ? [] : OutputSentence.allCases {
      let rate: UInt8 = request.sentences?.contains(sentence) == true ? 1 : 0
      add(
        .sentence(sentence), [(.rate(of: sentence, on: port), UInt64(rate))],
        .message(sentence.name, rate: rate, port: port))
    }
    if let systems = request.systems {
      items.append(
        UBXSetupItem(.systems, hasValues ? .systems(systems) : .olderSystems(systems)))
    }
    if let degrees = request.maskDegrees {
      let mask = Int8(bounded: degrees.rounded())
      add(.mask, [(.elevationMask, UInt64(UInt8(bitPattern: mask)))], .mask(mask))
    }
    if let base = request.base {
      items += hasValues ? baseItems(base, module, port) : olderBaseItems(base, module, port)
    }
    if let isSent = request.sendsHeading {
      add(
        .heading, [(.relativePosition(on: port), isSent ? 1 : 0)],
        .message(UBXMessageName(0x01, 0x3C), rate: isSent ? 1 : 0, port: port))
    }
    if request.takesCorrections { add(.corrections, [(.reads(.rtcm3, on: port), 1)], .takesRTCM3) }
    if let baud = request.baud, let key = UBXConfigurationKey.baud(of: port) {
      add(.baud, [(key, UInt64(baud))], .baud(UInt32(truncatingIfNeeded: baud)))
    }
    return items
  }

  /// True where a module has this text in its name.
  private static func has(_ module: String?, _ text: StaticString) -> Bool {
    module.map { SetupField(Array($0.utf8)[...]).has(text) } ?? false
  }

  /// Mode and corrections of a base station by keys. A moving one sends 4072.0 in place of 1005.
  /// - Source: u-blox ZED-F9P moving base applications, UBX-19009093: no survey, RTCM 4072.0 and
  ///   the measurements; published configurations of moving bases have the same.
  private static func baseItems(
    _ base: BaseStation, _ module: String?, _ port: UBXPort
  ) -> [UBXSetupItem] {
    var values = UBXConfigurationKey.corrections(on: port).map {
      (key: $0, value: base == .rover ? UInt64(0) : 1)
    }
    // The first one is 1005.
    if base == .moving { values[0].value = 0 }
    var items = [UBXSetupItem(.base, .base(base)), UBXSetupItem(.baseMessages, .values(values))]
    // Other receivers may lack it.
    if base == .moving || has(module, "F9P") {
      let key = UBXConfigurationKey.movingPosition(on: port)
      items.append(
        UBXSetupItem(
          .correction(UBXSetting.movingBase), .values([(key, base == .moving ? 1 : 0)])))
    }
    return items
  }

  /// The same of NEO-M8P and of the timing receivers, which send no corrections; none of others.
  private static func olderBaseItems(
    _ base: BaseStation, _ module: String?, _ port: UBXPort
  ) -> [UBXSetupItem] {
    let isTiming = has(module, "M8T") || has(module, "M8F")
    guard isTiming || has(module, "M8P") else { return [] }
    let mode: UBXOlderTimeMode = isTiming ? .two : .three
    var items = [UBXSetupItem(.base, .olderBase(base, mode))]
    guard !isTiming else { return items }
    for (number, name) in UBXOlderTimeMode.corrections {
      let isSent =
        switch number {
        case UBXSetting.movingBase: base == .moving
        case UBXOlderTimeMode.place: base != .rover && base != .moving
        default: base != .rover
        }
      items.append(
        UBXSetupItem(.correction(number), .message(name, rate: isSent ? 1 : 0, port: port)))
    }
    return items + [UBXSetupItem(.baseMessages, .givesRTCM3(base != .rover))]
  }
}
