import Configuration
import LinuxIO
import Quantities
import ReceiverProtocols

/// The protocol of a listener at an NMEA 2000 bus: asks the devices for their NAMEs once, and decodes
/// frames into rows. It has no address, no socket and no clock.
package struct NMEA2000Session: PeerSession {
  /// Each read gives one frame.
  package static var usualRead: Int { CANFrame.size }
  package static func fault(_ address: CANAddress, _ error: NetworkError) -> NMEA2000Fault {
    .interface(address, error)
  }

  /// Time without messages or reports after which it is a fault, s.
  package static let reportTimeout = 10.0
  /// The limit of the devices in a message.
  private static let mostShownDevices = 8

  private let address: CANAddress
  private var decoder: NMEA2000Decoder
  private let headings: LineHeadings
  private let admit: (ReceiverReport) -> ReceiverReport?
  private var lastMessage: Timestamp
  private var lastReport: Timestamp
  private var hasAsked = false
  private var hasNamedOwn = false
  private var notices: [String] = []

  package private(set) var hasReported = false
  package private(set) var source: String?

  package init(
    address: CANAddress, startedAt: Timestamp,
    headings: LineHeadings = LineHeadings(ofReceiverBeside: []),
    admit: @escaping (ReceiverReport) -> ReceiverReport? = { $0 }
  ) {
    (self.address, self.headings, self.admit) = (address, headings, admit)
    decoder = NMEA2000Decoder(ownName: .ofThisMachine, address: address.device)
    (lastMessage, lastReport) = (startedAt, startedAt)
  }

  /// Counts of what was received.
  package var counts: NMEA2000Decoder.Counts { decoder.counts }
  package var hasAnswered: Bool { decoder.counts.accepted > 0 }
  package var positionSources: [PositionSource] { decoder.positionSources }
  package var reportCount: Int { decoder.reportCount }
  package var refusal: NMEA2000Fault? { nil }

  package mutating func push(
    _ bytes: UnsafeRawBufferPointer, at now: Timestamp, _ deliver: (SensorSamples) -> Void
  ) {
    guard let frame = CANFrame(kernel: bytes) else { return }
    let (accepted, inUse) = (decoder.counts.accepted, decoder.addressInUse)
    var hasReport = false
    decoder.receive(frame, at: now) { report in
      hasReport = true
      guard let report = admit(report) else { return }
      ReceiverStream.row(report, at: now, headings).map(deliver)
    }
    if decoder.counts.accepted > accepted { lastMessage = now }
    if hasReport { (lastReport, hasReported) = (now, true) }
    if decoder.counts.own > 0, !hasNamedOwn {
      hasNamedOwn = true
      notices.append(
        "\(address.text): this program's own messages are on the bus; they are not used")
    }
    guard let used = decoder.addressInUse, used != inUse || source == nil else { return }
    var place = address
    place.device = used
    source = place.text
  }

  package mutating func output(at now: Timestamp) -> [UInt8]? {
    guard !hasAsked else { return nil }
    hasAsked = true
    return NMEA2000Decoder.nameRequest.kernelBytes
  }

  package func fault(at now: Timestamp) -> NMEA2000Fault? {
    let silence = now.seconds(since: lastReport)
    guard silence >= Self.reportTimeout else { return nil }
    guard now.seconds(since: lastMessage) < Self.reportTimeout else {
      return .silent(address, seconds: Int(bounded: now.seconds(since: lastMessage)))
    }
    let devices = decoder.addresses
    if let device = address.device, !devices.isEmpty, !devices.contains(device) {
      return .otherDevices(address, Array(devices.prefix(Self.mostShownDevices)))
    }
    return .noReports(address, seconds: Int(bounded: silence))
  }

  /// The kernel reports an interface that is removed or down. A bus without devices is silent.
  package func isDead(at now: Timestamp) -> Bool { false }

  package mutating func removeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }
}
