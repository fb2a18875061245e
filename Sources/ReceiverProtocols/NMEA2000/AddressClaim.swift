import Quantities

/// Obtains an address on the bus and defends it: asks for the addresses in use, claims the preferred
/// or the next free one, answers requests, and moves to another one where a device with a lower NAME
/// claims the same. It has no socket and no clock.
/// - Source: ISO 11783-5 and SAE J1939-81: a device sends nothing else in the 250 ms after its claim;
///   one without an address sends its claim from 254.
public struct AddressClaim: Sendable {
  /// The greatest address of a device.
  public static var greatestAddress: UInt8 { 251 }
  /// The time in which other devices answer, s.
  private static var answerTime: Double { 0.25 }
  /// The pause where no address is free, s.
  private static var failedPause: Double { 10 }

  private enum State: Sendable {
    case silent
    case asking(until: Timestamp)
    case claiming(UInt8, until: Timestamp)
    case claimed(UInt8)
    /// No address is free; it asks again then.
    case failed(until: Timestamp)
  }

  /// The own name.
  public let name: DeviceName
  private let preferred: UInt8
  private var state = State.silent
  /// The names of the other devices by their addresses.
  private var others: [UInt8: DeviceName] = [:]
  /// How often a device with a lower name has taken the address.
  public private(set) var losses = 0

  /// Makes a device without an address.
  /// - Parameters:
  ///   - name: Its name.
  ///   - preferred: The address that it claims first, 0 to 251.
  public init(name: DeviceName, preferred: UInt8) {
    (self.name, self.preferred) = (name, min(preferred, Self.greatestAddress))
  }

  /// The address; nil while there is none, or it may still be lost to a claim under way.
  public var address: UInt8? {
    if case .claimed(let address) = state { address } else { nil }
  }
  /// True where all addresses are in use.
  public var hasFailed: Bool { if case .failed = state { true } else { false } }

  /// The next instant at which `advance` has something to do; nil for none.
  public var deadline: Timestamp? {
    switch state {
    case .asking(let until), .claiming(_, let until), .failed(let until): until
    case .silent, .claimed: nil
    }
  }

  /// Begins: asks all devices for their addresses.
  public mutating func start(at now: Timestamp) -> [CANFrame] {
    others = [:]
    state = .asking(until: now.advanced(bySeconds: Self.answerTime))
    return [Self.question]
  }

  /// The request to all devices to claim their addresses, of a device without an address.
  static var question: CANFrame {
    var message = PGNMessage(.request)
    message[.pgn] = Double(PGN.addressClaim.rawValue)
    let header = MessageHeader(
      priority: PGN.request.priority, pgn: PGN.request.rawValue, source: MessageHeader.noAddress)
    return CANFrame(identifier: header.identifier, message.bytes)
  }

  /// Continues once the time for answers is over.
  public mutating func advance(to now: Timestamp) -> [CANFrame] {
    guard let deadline, now >= deadline else { return [] }
    switch state {
    case .asking: return claim(from: preferred, at: now)
    case .claiming(let address, _):
      state = .claimed(address)
      return []
    case .failed: return start(at: now)
    case .silent, .claimed: return []
    }
  }

  /// Reads another device's claim.
  /// - Returns: The claims that defend or replace the own address.
  public mutating func receive(_ frame: CANFrame, at now: Timestamp) -> [CANFrame] {
    let header = MessageHeader(frame.identifier)
    guard header.pgn == PGN.addressClaim.rawValue, let other = DeviceName(frame) else { return [] }
    for (address, name) in others where name == other && address != header.source {
      others[address] = nil
    }
    guard header.source <= Self.greatestAddress else { return [] }
    switch state {
    case .claiming(let address, _) where address == header.source,
      .claimed(let address) where address == header.source:
      guard other.bits <= name.bits else { return [message(from: address)] }
      losses += 1
      others[header.source] = other
      return claim(from: address, at: now)
    case .silent, .asking, .claiming, .claimed, .failed:
      others[header.source] = other
      return []
    }
  }

  /// The answer to a request for the address claim; none before the first claim.
  public var answer: [CANFrame] {
    switch state {
    case .silent, .asking: []
    case .claiming(let address, _), .claimed(let address): [message(from: address)]
    case .failed: [message(from: MessageHeader.noAddress)]
    }
  }

  /// Claims the first free address from one on.
  private mutating func claim(from first: UInt8, at now: Timestamp) -> [CANFrame] {
    let count = Int(Self.greatestAddress) + 1
    let free = (0..<count).lazy.map { UInt8((Int(first) + $0) % count) }
      .first { others[$0] == nil }
    guard let free else {
      state = .failed(until: now.advanced(bySeconds: Self.failedPause))
      return answer
    }
    state = .claiming(free, until: now.advanced(bySeconds: Self.answerTime))
    return answer
  }

  private func message(from source: UInt8) -> CANFrame {
    let header = MessageHeader(
      priority: PGN.addressClaim.priority, pgn: PGN.addressClaim.rawValue, source: source)
    return CANFrame(identifier: header.identifier, name.bytes)
  }
}
