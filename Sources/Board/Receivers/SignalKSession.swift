import Configuration
import Formats
import LinuxIO
import Quantities
import ReceiverProtocols

/// The protocol of one connection to a Signal K server: subscribes to position, motion and headings,
/// and decodes the deltas into rows. It has no socket and no clock.
package struct SignalKSession: PeerSession {
  package static var usualRead: Int { 16_384 }
  package static func fault(_ address: SignalKAddress, _ error: NetworkError) -> SignalKFault {
    .connection(address, error)
  }

  /// Time without data or reports after which it is a fault, s.
  package static let reportTimeout = 10.0
  /// What is needed of the own vessel, each value as soon as the server has it.
  /// - Source: Signal K specification 1.7.0, "Subscription Protocol".
  private static let subscription: String = {
    let paths = [
      "position", "speedOverGround", "courseOverGroundTrue", "datetime", "gnss.*",
      "magneticVariation", "headingMagnetic", "headingTrue", "rateOfTurn",
    ]
    let list = paths.map { "{\"path\":\"navigation.\($0)\",\"policy\":\"instant\"}" }
    return "{\"context\":\"vessels.self\",\"subscribe\":[\(list.joined(separator: ","))]}"
  }()
  /// The limit of the sources in a message.
  private static let mostShownSources = 8

  private let address: SignalKAddress
  private var decoder: SignalKDecoder
  /// nil for a stream of lines.
  private var socket: WebSocketClient?
  private let headings: LineHeadings
  private let admit: (ReceiverReport) -> ReceiverReport?
  private var lastLine: Timestamp
  private var lastReport: Timestamp
  private var waiting: [[UInt8]] = []
  private var hasNamedOwn = false
  private var notices: [String] = []

  package private(set) var hasReported = false
  package private(set) var refusal: SignalKFault?
  package private(set) var source: String?

  package init(
    address: SignalKAddress, startedAt: Timestamp,
    headings: LineHeadings = LineHeadings(ofReceiverBeside: []),
    admit: @escaping (ReceiverReport) -> ReceiverReport? = { $0 }
  ) {
    (self.address, self.headings, self.admit) = (address, headings, admit)
    decoder = SignalKDecoder(source: address.source.map { Array($0.utf8) }) {
      SignalKOwnPlaces(seenFrom: address.host)
    }
    (lastLine, lastReport) = (startedAt, startedAt)
    switch address.transport {
    case .tcp: waiting = [Array((Self.subscription + "\r\n").utf8)]
    case .webSocket:
      let client = WebSocketClient(longest: SignalKDecoder.longestLine)
      waiting = [client.request("/signalk/v1/stream?subscribe=none", host: address.place)]
      socket = client
    }
  }

  /// The messages received so far, including rejected ones.
  package var counts: SignalKCounts { decoder.counts }
  package var hasAnswered: Bool { decoder.counts.accepted > 0 }
  package var positionSources: [PositionSource] { decoder.sources }
  package var reportCount: Int { decoder.reportCount }

  package mutating func push(
    _ bytes: UnsafeRawBufferPointer, at now: Timestamp, _ deliver: (SensorSamples) -> Void
  ) {
    let (accepted, inUse) = (decoder.counts.accepted, decoder.sourceInUse)
    var reports = 0
    func use(_ report: ReceiverReport) {
      reports += 1
      guard let report = admit(report) else { return }
      ReceiverStream.row(report, at: now, headings).map(deliver)
    }
    if socket == nil {
      decoder.push(bytes, at: now, use)
    } else {
      for message in messages(bytes) {
        message.withUnsafeBufferPointer { decoder.decode($0, at: now, use) }
      }
    }
    if decoder.counts.accepted > accepted { lastLine = now }
    if reports > 0 { (lastReport, hasReported) = (now, true) }
    if let own = decoder.ownSource, !hasNamedOwn {
      hasNamedOwn = true
      notices.append(
        "\(address.text): values of \(String(printable: own)) are this program's own, which the "
          + "server has received; they are not used")
    }
    guard let used = decoder.sourceInUse, used != inUse || source == nil else { return }
    var place = address
    place.source = used.isEmpty ? nil : String(printable: used)
    source = place.text
  }

  /// The texts of a WebSocket; answers its pings.
  private mutating func messages(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
    var (texts, pings, isClosed): ([[UInt8]], [[UInt8]], Bool) = ([], [], false)
    let wasOpen = socket?.isOpen == true
    do throws(WebSocketClient.Refusal) {
      try socket?.append(Array(bytes)[...]) { message in
        switch message {
        case .text(let text): texts.append(text)
        case .ping(let payload): pings.append(payload)
        case .binary: break
        case .close: isClosed = true
        }
      }
    } catch {
      refusal = .refused(address, error.reason)
    }
    if !wasOpen, socket?.isOpen == true {
      waiting.append(WebSocketFrame.masked(Array(Self.subscription.utf8)))
    }
    // A server that only pings is not to fill the memory.
    if let last = pings.last { waiting.append(WebSocketFrame.maskedPong(last)) }
    if isClosed { refusal = .connection(address, NetworkError(.closed, peer: address.place)) }
    return texts
  }

  package mutating func output(at now: Timestamp) -> [UInt8]? {
    waiting.isEmpty ? nil : waiting.removeFirst()
  }

  package func fault(at now: Timestamp) -> SignalKFault? {
    if let refusal { return refusal }
    let silence = now.seconds(since: lastReport)
    guard silence >= Self.reportTimeout else { return nil }
    guard now.seconds(since: lastLine) < Self.reportTimeout else {
      return .silent(address, seconds: Int(bounded: now.seconds(since: lastLine)))
    }
    if decoder.lacksOwnVessel { return .ownVesselUnknown(address) }
    let names = decoder.names
    if names.isEmpty, let own = decoder.ownSource {
      return .onlyOwn(address, String(printable: own))
    }
    if let wanted = address.source, !names.isEmpty, !names.contains(Array(wanted.utf8)) {
      return .otherSources(
        address, names.prefix(Self.mostShownSources).map { String(printable: $0) })
    }
    return .noReports(address, seconds: Int(bounded: silence))
  }

  /// The kernel detects a server that is gone (`StreamSocket.detectLoss`). One that has no values is
  /// silent.
  package func isDead(at now: Timestamp) -> Bool { false }

  package mutating func removeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }
}
