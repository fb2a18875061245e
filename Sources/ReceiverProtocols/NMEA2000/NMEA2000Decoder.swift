import Quantities

/// Turns the frames of an NMEA 2000 bus into epochs and headings.
///
/// The values of one device make epochs of their own; one device is used (`PositionChoice`). Wind,
/// water speed and pressure belong to no device and are reported with the next epoch. The messages of
/// this program itself are not used: a device without a known NAME is used a second after its first
/// message, so that it has answered the request for its NAME.
///
/// No input stops the decoder, and it stores at most one source for each of 254 addresses.
///
/// - Source: canboat 9.0.0.
public struct NMEA2000Decoder: Sendable {
  /// Counts of what was received.
  public struct Counts: Equatable, Sendable {
    /// Messages that are decoded.
    public var accepted: Int64 = 0
    /// Messages of this program itself.
    public var own: Int64 = 0
    /// Reports of devices that are not used.
    public var otherSources: Int64 = 0
    /// Messages of which a frame was missing.
    public var incomplete: Int64 = 0
  }

  /// The messages that are decoded.
  public static let messages: [PGN] = [
    .addressClaim, .heading, .rateOfTurn, .heave, .attitude, .variation, .waterSpeed, .position,
    .courseAndSpeed, .gnssPosition, .wind, .pressure,
  ]
  /// Time in which a device answers the request for its NAME, s.
  private static let nameTime = 1.0

  /// Counts of what was received.
  public private(set) var counts = Counts()
  private let ownName: DeviceName?
  private let requestedAddress: UInt8?
  private var names: [UInt8: DeviceName] = [:]
  private var sources: [UInt8: NMEA2000Source] = [:]
  private var assembler = FastPacket.Assembler()
  private var environment = Environment()
  private var choice = PositionChoice()
  private var headingChoice = HeadingSourceChoice()

  /// Makes a decoder.
  /// - Parameters:
  ///   - ownName: The NAME of this program's own device, whose messages are not used.
  ///   - address: The only device to use; nil for the best one.
  public init(ownName: DeviceName? = nil, address: UInt8? = nil) {
    (self.ownName, requestedAddress) = (ownName, address)
  }

  /// The frame that asks all devices for their NAMEs, for a listener without an address.
  public static var nameRequest: CANFrame { AddressClaim.question }

  /// The address of the device whose positions are used; nil before the first.
  public var addressInUse: UInt8? { choice.used.flatMap { UInt8(exactly: $0) } }

  /// The devices that have sent positions, by their addresses.
  public var positionSources: [PositionSource] {
    sources.keys.sorted().compactMap { choice.source(Int($0), .named("\($0)")) }
  }

  /// The addresses of the devices that have sent a decoded message.
  public var addresses: [UInt8] { sources.keys.sorted() }

  /// The reports of all devices so far: without a new one `positionSources` are the same.
  public var reportCount: Int { choice.reports }

  /// Reads a frame and calls `body` with the report that it completes.
  public mutating func receive(
    _ frame: CANFrame, at now: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    let header = MessageHeader(frame.identifier)
    guard let pgn = PGN(rawValue: header.pgn), Self.messages.contains(pgn),
      header.source < MessageHeader.noAddress
    else { return }
    if pgn == .addressClaim { return setName(DeviceName(frame), of: header.source) }
    let bytes = pgn.isFastPacket ? assembler.add(frame, at: now) : frame.bytes
    counts.incomplete = Int64(assembler.incomplete)
    guard let bytes else { return }
    counts.accepted += 1
    let message = PGNMessage(pgn, bytes: bytes)
    let name = names[header.source]
    if let name, name == ownName {
      counts.own += 1
      return
    }
    var source = sources[header.source] ?? NMEA2000Source(begin: now)
    let report = source.add(message, at: now)
    sources[header.source] = source
    guard name != nil || ownName == nil || now.seconds(since: source.begin) >= Self.nameTime else {
      return
    }
    environment.add(message)
    if let report { use(report, of: header.source, at: now, body) }
  }

  private mutating func use(
    _ report: ReceiverReport, of address: UInt8, at now: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    let isRequested = requestedAddress.map { $0 == address } ?? true
    switch report {
    case .heading:
      guard isRequested, headingChoice.uses(Int(address), at: now) else {
        counts.otherSources += 1
        return
      }
      body(report)
    case .epoch(var epoch):
      guard isRequested else { return counts.otherSources += 1 }
      let decision = choice.decide(epoch.fix, of: Int(address), at: now)
      guard decision != .leave else { return counts.otherSources += 1 }
      if decision == .useWithoutTime { epoch.fix.utc = nil }
      epoch.environment = environment
      environment = Environment()
      body(.epoch(epoch))
    case .alignment, .pulse: break
    }
  }

  /// The device at an address: another one has values of its own.
  private mutating func setName(_ name: DeviceName?, of address: UInt8) {
    guard let name, names[address] != name else { return }
    for (other, known) in names where known == name { names[other] = nil }
    let isNew = names[address] != nil
    names[address] = name
    guard isNew || name == ownName else { return }
    sources[address] = nil
    choice.remove(Int(address))
    headingChoice.remove(Int(address))
  }
}
