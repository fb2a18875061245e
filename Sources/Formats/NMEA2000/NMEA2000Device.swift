import Quantities
import ReceiverProtocols

/// Lodestar as a device of an NMEA 2000 bus: its address, its messages, its heartbeat and the answers
/// to requests, as frames. It has no socket and no clock.
public struct NMEA2000Device: Sendable {
  /// What other devices read about this one.
  public struct Product: Sendable {
    /// The version of the program.
    public var softwareVersion: String
    /// The serial number.
    public var serial: String

    /// Makes a description.
    public init(softwareVersion: String, serial: String) {
      (self.softwareVersion, self.serial) = (softwareVersion, serial)
    }
  }

  /// The messages to which the device listens.
  public static let receivedMessages: [PGN] = [
    .acknowledgement, .request, .addressClaim, .groupFunction,
  ]
  private static let answers: [PGN] = [
    .acknowledgement, .request, .addressClaim, .groupFunction, .list, .heartbeat,
    .productInformation,
  ]

  /// The least time between two answers to requests of one message, s.
  private static let leastAnswerInterval = 0.5
  /// Limit of the messages whose answers are known.
  private static let mostAnswered = 64

  /// The address and its defence.
  public private(set) var claim: AddressClaim
  private let product: Product
  private var schedule = NMEA2000Schedule()
  private var assembler = FastPacket.Assembler()
  /// The numbers of the next fast packets.
  private var sequences: [PGN: UInt8] = [:]
  private var lastHeartbeat: Timestamp?
  private var heartbeats: UInt8 = 0
  /// When a request of a message was answered.
  private var answered: [UInt32: Timestamp] = [:]

  /// Makes a device.
  public init(name: DeviceName, preferredAddress: UInt8, product: Product) {
    claim = AddressClaim(name: name, preferred: preferredAddress)
    self.product = product
  }

  /// Begins to claim an address, also after the bus was away.
  public mutating func start(at now: Timestamp) -> [CANFrame] {
    (lastHeartbeat, assembler) = (nil, FastPacket.Assembler())
    return claim.start(at: now)
  }

  /// The next instant at which `advance` has something to do.
  public func deadline(after now: Timestamp) -> Timestamp {
    let second = now.advanced(bySeconds: 1)
    return claim.deadline.map { min($0, second) } ?? second
  }

  /// Sends what is due at an instant without a new estimate.
  public mutating func advance(to now: Timestamp) -> [CANFrame] {
    var frames = claim.advance(to: now)
    guard claim.address != nil else { return frames }
    if let interval = PGN.heartbeat.interval,
      lastHeartbeat.map({ now.seconds(since: $0) >= interval }) ?? true
    {
      frames += self.frames(of: heartbeat(at: now))
      lastHeartbeat = now
    }
    for message in schedule.expiredMessages(at: now) { frames += self.frames(of: message) }
    return frames
  }

  // MARK: Values

  /// The frames of the messages that are due at an estimate; none without an address.
  public mutating func frames(for estimate: Estimate, at now: Timestamp) -> [CANFrame] {
    let messages = schedule.messages(for: estimate, at: now)
    guard claim.address != nil else { return [] }
    return messages.flatMap { frames(of: $0) }
  }

  /// Sets the pressure of the next messages.
  public mutating func set(_ pressure: PressureSample) { schedule.set(pressure) }

  /// Discards what an earlier access gave.
  public mutating func discard() { schedule.discard() }

  /// The state of the device: a fault also while no estimates come.
  /// - Source: canboat 9.0.0, PGN 126993: the first field is the interval; the counter ends at 252.
  private mutating func heartbeat(at now: Timestamp) -> PGNMessage {
    var message = PGNMessage(.heartbeat)
    message[.offset] = PGN.heartbeat.interval
    message[.counter] = Double(heartbeats)
    message[code: .controllerState] = PGN.Code.errorActive
    let isReportedFault = schedule.newest.map { NMEA2000Report.hasFault($0.estimate) } ?? false
    let hasFault = isReportedFault || schedule.isExpired(at: now)
    message[code: .equipmentStatus] = hasFault ? PGN.Code.fault : PGN.Code.operational
    heartbeats = heartbeats < 252 ? heartbeats + 1 : 0
    return message
  }

  // MARK: Requests

  /// Answers a frame of another device.
  public mutating func receive(_ frame: CANFrame, at now: Timestamp) -> [CANFrame] {
    let header = MessageHeader(frame.identifier)
    guard let pgn = PGN(rawValue: header.pgn) else { return [] }
    let isForAll = header.destination == MessageHeader.everyone
    guard isForAll || header.destination == claim.address else {
      return pgn == .addressClaim ? claim.receive(frame, at: now) : []
    }
    switch pgn {
    case .addressClaim: return claim.receive(frame, at: now)
    case .request:
      let number = PGNMessage(.request, bytes: frame.bytes)[.pgn].map { UInt32(bounded: $0) }
      guard let number else { return [] }
      return answer(number, to: header.source, isForAll: isForAll, at: now)
    case .groupFunction:
      guard !isForAll, let bytes = assembler.add(frame, at: now) else { return [] }
      return refusal(of: bytes, to: header.source)
    default: return []
    }
  }

  private mutating func answer(
    _ number: UInt32, to source: UInt8, isForAll: Bool, at now: Timestamp
  ) -> [CANFrame] {
    let pgn = PGN(rawValue: number)
    if pgn == .addressClaim { return claim.answer }
    guard claim.address != nil else { return [] }
    // Repeated requests must not fill the bus.
    if let last = answered[number], now.seconds(since: last) < Self.leastAnswerInterval {
      return []
    }
    if answered.count >= Self.mostAnswered { answered = [:] }
    answered[number] = now
    switch pgn {
    case .productInformation: return frames(of: .productInformation, productInformation)
    case .list:
      return frames(of: .list, Self.list(0, Self.answers + NMEA2000Report.messages), to: source)
        + frames(of: .list, Self.list(1, Self.receivedMessages), to: source)
    case .heartbeat: return frames(of: heartbeat(at: now))
    case let pgn? where NMEA2000Report.messages.contains(pgn):
      schedule.request(pgn)
      return []
    default:
      guard !isForAll else { return [] }
      var message = PGNMessage(.acknowledgement)
      message[code: .control] = PGN.Code.notAcknowledged
      message[.pgn] = Double(number)
      return frames(of: .acknowledgement, message.bytes, to: source)
    }
  }

  /// The refusal of a command or request of PGN 126208: nothing here can be set by the bus.
  /// - Source: canboat 9.0.0, PGN 126208, GROUP_FUNCTION and PGN_ERROR_CODE.
  private mutating func refusal(of bytes: [UInt8], to source: UInt8) -> [CANFrame] {
    let (request, command, acknowledge, notSupported): (UInt8, UInt8, UInt8, UInt8) = (0, 1, 2, 4)
    guard bytes.count >= 4, bytes[0] == request || bytes[0] == command else { return [] }
    return frames(
      of: .groupFunction, [acknowledge] + bytes[1...3] + [notSupported, 0], to: source)
  }

  /// - Source: canboat 9.0.0, PGN 126996: texts of 32 bytes, filled with 0xFF.
  private var productInformation: [UInt8] {
    var message = PGNMessage(.productInformation)
    let standard = 2100
    message[code: .version] = standard
    func text(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8.filter { $0 < 0x80 }.prefix(32))
      return bytes + repeatElement(UInt8.max, count: 32 - bytes.count)
    }
    let (notCertified, loadUnits): (UInt8, UInt8) = (.max, 0)
    return message.bytes + text("Lodestar") + text(product.softwareVersion) + text("")
      + text(product.serial) + [notCertified, loadUnits]
  }

  /// - Source: canboat 9.0.0, PGN 126464: 0 for the transmitted messages, 1 for the received ones.
  private static func list(_ code: UInt8, _ messages: [PGN]) -> [UInt8] {
    [code]
      + messages.flatMap { pgn in
        (0..<3).map { UInt8(truncatingIfNeeded: pgn.rawValue >> UInt32(8 * $0)) }
      }
  }

  // MARK: Frames

  private mutating func frames(of message: PGNMessage) -> [CANFrame] {
    frames(of: message.pgn, message.bytes)
  }

  private mutating func frames(
    of pgn: PGN, _ bytes: [UInt8], to destination: UInt8 = MessageHeader.everyone
  ) -> [CANFrame] {
    guard let address = claim.address else { return [] }
    let header = MessageHeader(
      priority: pgn.priority, pgn: pgn.rawValue, source: address, destination: destination)
    guard pgn.isFastPacket else { return [CANFrame(identifier: header.identifier, bytes)] }
    let sequence = sequences[pgn, default: 0]
    sequences[pgn] = (sequence + 1) & 7
    return FastPacket.frames(of: bytes, header, sequence: sequence)
  }
}
