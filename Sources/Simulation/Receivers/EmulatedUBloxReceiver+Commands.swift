/// How it takes commands.
extension EmulatedUBloxReceiver {
  private static let known: Set<UInt16> = [
    0x0600, 0x0601, 0x0604, 0x0608, 0x0609, 0x0624, 0x068A, 0x068B, 0x068C,
  ]

  /// What it answers to a whole frame.
  mutating func answers(to frame: [UInt8]) -> [[UInt8]] {
    let name = UInt16(frame[2]) << 8 | UInt16(frame[3])
    let payload = Array(frame[6..<frame.count - 2])
    note(name)
    switch name {
    case 0x0A04: return [version()]
    case 0x0241:
      // Not acknowledged either.
      sleep(payload)
      return []
    case _ where !Self.known.contains(name): return []
    case 0x0604:
      // Not acknowledged, by the description.
      powerCycle()
      return []
    case 0x068A...0x068C where generation == .m8: return [acknowledgement(name, false)]
    // The newest keep none of the older messages but these two.
    case _ where generation == .m9 && [0x0601, 0x0608, 0x0624].contains(name):
      return [acknowledgement(name, false)]
    default: break
    }
    let before = baud
    guard let answer = act(name, payload) else { return [acknowledgement(name, false)] }
    if keepsItsSpeed { ram[baudKey] = UInt64(before) }
    return (answer.isEmpty ? [] : [answer]) + [acknowledgement(name, true)]
  }

  private func acknowledgement(_ name: UInt16, _ isTaken: Bool) -> [UInt8] {
    Self.frame(0x05, isTaken ? 1 : 0, [UInt8(name >> 8), UInt8(name & 0xFF)])
  }

  private func version() -> [UInt8] {
    func text(_ words: String, _ count: Int) -> [UInt8] {
      Array((Array(words.utf8) + [UInt8](repeating: 0, count: count)).prefix(count))
    }
    let isOld = generation == .m8
    return Self.frame(
      0x0A, 0x04,
      text(isOld ? "ROM CORE 3.01 (107888)" : "EXT CORE 4.04 (7f89f7)", 30)
        + text(isOld ? "00080000" : "00190000", 10)
        + text(isOld ? "FWVER=SPG 3.01" : "FWVER=SPG 4.04", 30)
        + text(isOld ? "PROTVER=18.00" : "PROTVER=32.01", 30)
        + text(isOld ? "MOD=NEO-M8N-0" : "MOD=NEO-M9N", 30) + text("GPS;GLO;GAL;BDS", 30))
  }

  /// Does what a command says.
  /// - Returns: the answer to a question, nothing to an order, nil where it refuses.
  private mutating func act(_ name: UInt16, _ payload: [UInt8]) -> [UInt8]? {
    switch name {
    case 0x068A: setValues(payload) ? [] : nil
    case 0x068B: getValues(payload)
    case 0x068C: []
    case 0x0609: save(payload) ? [] : nil
    case 0x0608: rate(payload)
    case 0x0624: navigation(payload)
    case 0x0601: message(payload)
    default: settings(ofPort: payload)
    }
  }

  private static func bytes(of key: UInt32) -> Int? {
    [1: 1, 2: 1, 3: 2, 4: 4, 5: 8][key >> 28 & 7]
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> (8 * UInt64($0)) & 0xFF) }
  }

  private mutating func setValues(_ payload: [UInt8]) -> Bool {
    guard payload.count > 4, payload[0] == 0, payload[1] & 7 != 0 else { return false }
    if payload[1] & 4 != 0, hasNoFlash { return false }
    var pairs: [(UInt32, UInt64)] = []
    var rest = payload[4...]
    while rest.count > 4 {
      let key = UInt32(Self.number(rest.prefix(4)))
      guard let count = Self.bytes(of: key), rest.count >= 4 + count, ram[key] != nil,
        !refusedKeys.contains(key)
      else { return false }
      pairs.append((key, Self.number(rest.dropFirst(4).prefix(count))))
      rest = rest.dropFirst(4 + count)
    }
    for (key, value) in pairs {
      if payload[1] & 1 != 0 { ram[key] = value }
      if payload[1] & 2 != 0 { batteryBacked[key] = value }
      if payload[1] & 4 != 0 { flash[key] = value }
    }
    return rest.isEmpty
  }

  private func getValues(_ payload: [UInt8]) -> [UInt8]? {
    guard payload.count >= 8, payload[0] == 0, payload[1] == 0 else { return nil }
    var answer: [UInt8] = [1, 0, 0, 0]
    // In the order of the keys, not of the question: the description promises none.
    let keys = stride(from: 4, to: payload.count - 3, by: 4)
      .map { UInt32(Self.number(payload[$0..<$0 + 4])) }.sorted(by: >)
    for key in keys {
      guard let value = ram[key], let count = Self.bytes(of: key), !refusedKeys.contains(key)
      else { return nil }
      answer += Self.little(UInt64(key), 4) + Self.little(value, count)
    }
    return Self.frame(0x06, 0x8B, answer)
  }

  private mutating func save(_ payload: [UInt8]) -> Bool {
    guard payload.count == 13 else { return false }
    if payload[12] & 2 != 0, hasNoFlash { return false }
    if payload[12] & 1 != 0 { batteryBacked = ram }
    if payload[12] & 2 != 0 { flash = ram }
    return true
  }

  private mutating func rate(_ payload: [UInt8]) -> [UInt8]? {
    guard payload.count == 6 else {
      guard payload.isEmpty else { return nil }
      return Self.frame(
        0x06, 0x08,
        Self.little(ram[0x3021_0001] ?? 0, 2) + Self.little(ram[0x3021_0002] ?? 0, 2) + [1, 0])
    }
    ram[0x3021_0001] = Self.number(payload[0..<2])
    ram[0x3021_0002] = Self.number(payload[2..<4])
    return []
  }

  private mutating func navigation(_ payload: [UInt8]) -> [UInt8]? {
    guard payload.count == 36 else {
      guard payload.isEmpty else { return nil }
      return Self.frame(
        0x06, 0x24,
        [0xFF, 0xFF, UInt8(ram[0x2011_0021] ?? 0), 3] + [UInt8](repeating: 0x11, count: 32))
    }
    guard !refusedKeys.contains(0x2011_0021) else { return nil }
    if payload[0] & 1 == 1 { ram[0x2011_0021] = UInt64(payload[2]) }
    return []
  }

  private mutating func message(_ payload: [UInt8]) -> [UInt8]? {
    guard payload.count >= 2,
      let key = Self.messageKeys[UInt16(payload[0]) << 8 | UInt16(payload[1])],
      !refusedKeys.contains(key + port)
    else { return nil }
    switch payload.count {
    case 2:
      return Self.frame(
        0x06, 0x01,
        payload + (UInt32(0)..<5).map { UInt8(ram[key + $0] ?? 0) } + [0])
    case 3: ram[key + port] = UInt64(payload[2])
    case 8: for place in UInt32(0)..<5 { ram[key + place] = UInt64(payload[2 + Int(place)]) }
    default: return nil
    }
    return []
  }

  private static let protocolBits: [(item: UInt32, bit: UInt64)] = [(1, 0), (2, 1), (4, 5)]

  private mutating func settings(ofPort payload: [UInt8]) -> [UInt8]? {
    let isPort = payload.isEmpty || payload.count == 1 && UInt32(payload[0]) == port
    guard payload.count == 20 else {
      guard isPort else { return nil }
      var masks: (takes: UInt64, gives: UInt64) = (0, 0)
      for (item, bit) in Self.protocolBits {
        masks.takes |= (ram[0x1071_0000 + port << 17 + item] ?? 0) << bit
        masks.gives |= (ram[0x1072_0000 + port << 17 + item] ?? 0) << bit
      }
      var answer: [UInt8] = [UInt8(port), 0, 0, 0, 0xD0, 0x08, 0, 0]
      answer += Self.little(UInt64(baud), 4)
      answer += Self.little(masks.takes, 2)
      answer += Self.little(masks.gives, 2)
      answer += [0, 0, 0, 0]
      return Self.frame(0x06, 0x00, answer)
    }
    guard UInt32(payload[0]) == port else { return nil }
    ram[baudKey] = Self.number(payload[8..<12])
    for (item, bit) in Self.protocolBits {
      ram[0x1071_0000 + port << 17 + item] = Self.number(payload[12..<14]) >> bit & 1
      ram[0x1072_0000 + port << 17 + item] = Self.number(payload[14..<16]) >> bit & 1
    }
    return []
  }
}
