import Configuration
import Formats
import LinuxIO
import Quantities
import ReceiverProtocols

/// The protocol of one connection to a gpsd daemon: decodes bytes into rows and supplies the
/// requests to send. It has no socket and no clock.
package struct GPSDSession: PeerSession {
  package static var usualRead: Int { GPSDDecoder.longestLine }
  package static func fault(_ address: GPSDAddress, _ error: NetworkError) -> GPSDFault {
    .connection(address, error)
  }
  /// Silence of a daemon after which it is a fault, s.
  package static let reportTimeout = 10.0
  /// Silence after which the connection is made again, s; the daemon has then not answered a
  /// request.
  package static let longestSilence = 30.0
  /// Silence after which a request is sent to provoke an answer, s.
  private static let probeInterval = 5.0
  /// A daemon sends its version at once; without one the reports are requested after this time, s.
  private static let greetingTime = 2.0

  private let address: GPSDAddress
  private var decoder: GPSDDecoder
  private let headings: LineHeadings
  private let admit: (ReceiverReport) -> ReceiverReport?
  private var lastLine: Timestamp
  private var lastReport: Timestamp
  /// True after the first epoch or heading.
  package private(set) var hasReported = false
  private let startedAt: Timestamp
  private var hasAsked = false
  private var lastProbe: Timestamp
  private var lastComplaint: [UInt8]?
  private var hasCheckedVersion = false
  private var reportedErrors: Int64 = 0
  private var notices: [String] = []

  /// Makes a session.
  /// - Parameters:
  ///   - address: The daemon and its device.
  ///   - startedAt: When the connection was made.
  ///   - headings: How headings are used.
  ///   - admit: Called with each report; returns what becomes a row of it, nil for nothing.
  package init(
    address: GPSDAddress, startedAt: Timestamp,
    headings: LineHeadings = LineHeadings(ofReceiverBeside: []),
    admit: @escaping (ReceiverReport) -> ReceiverReport? = { $0 }
  ) {
    (self.address, self.admit) = (address, admit)
    self.headings = headings
    decoder = GPSDDecoder(device: address.device.map { Array($0.utf8) })
    self.startedAt = startedAt
    (lastLine, lastReport, lastProbe) = (startedAt, startedAt, startedAt)
  }

  /// The lines received so far, including rejected ones.
  package var counts: GPSDCounts { decoder.counts }
  /// True after the first accepted line.
  package var hasAnswered: Bool { decoder.counts.accepted > 0 }
  /// The daemon's devices that have sent fixes.
  package var positionSources: [PositionSource] { decoder.sources }
  /// The reports of all devices so far: without a new one `positionSources` are the same.
  package var reportCount: Int { decoder.reportCount }
  /// The daemon and its device that send the fixes; nil before the first.
  package private(set) var source: String?

  /// Decodes received bytes.
  package mutating func push(
    _ bytes: UnsafeRawBufferPointer, at now: Timestamp, _ deliver: (SensorSamples) -> Void
  ) {
    let (accepted, inUse) = (decoder.counts.accepted, decoder.deviceInUse?.path)
    var reports = 0
    decoder.push(bytes, at: now) {
      reports += 1
      guard let report = admit($0) else { return }
      ReceiverStream.row(report, at: now, headings).map(deliver)
    }
    if decoder.counts.accepted > accepted { lastLine = now }
    if reports > 0 { (lastReport, hasReported) = (now, true) }
    addNotices(inUse)
  }

  package var refusal: GPSDFault? { nil }

  package mutating func output(at now: Timestamp) -> [UInt8]? {
    request(at: now).map { Array("\($0)".utf8) }
  }

  /// The request to send now; nil for none. Reports are requested once the daemon has sent its
  /// version. The devices are requested when it is silent: an answer shows that it still works.
  /// - Source: gpsd_json(5), "?WATCH" and "?DEVICES".
  package mutating func request(at now: Timestamp) -> StaticString? {
    if !hasAsked, hasAnswered || now.seconds(since: startedAt) >= Self.greetingTime {
      hasAsked = true
      // The session selects the device itself: a request has at most 80 characters, too few for a
      // long path, and the device may be added later.
      return "?WATCH={\"enable\":true,\"json\":true};\n"
    }
    guard now.seconds(since: max(lastLine, lastProbe)) >= Self.probeInterval else { return nil }
    lastProbe = now
    return "?DEVICES;\n"
  }

  /// Why no reports arrive; nil while they do.
  package func fault(at now: Timestamp) -> GPSDFault? {
    if decoder.hasDeviceList, let fault = deviceFault { return fault }
    let silence = now.seconds(since: lastReport)
    guard silence >= Self.reportTimeout else { return nil }
    guard now.seconds(since: lastLine) < Self.reportTimeout else {
      return .silent(address, seconds: Int(bounded: now.seconds(since: lastLine)))
    }
    return .noReports(
      address, seconds: Int(bounded: silence),
      complaint: decoder.complaint.map { String(printable: $0, atMost: Self.longestComplaint) })
  }

  /// True when the daemon has not answered a request either.
  package func isDead(at now: Timestamp) -> Bool {
    now.seconds(since: lastLine) >= Self.longestSilence
  }

  /// The notices for the user since the last call.
  package mutating func removeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  /// The limit of a complaint in a message, scalars.
  private static let longestComplaint = 120
  /// The limit of the devices in a message.
  private static let mostShownDevices = 8

  private var deviceFault: GPSDFault? {
    guard !decoder.devices.contains(where: { $0.path.isEmpty && $0.isActive }) else { return nil }
    let known = decoder.devices.filter(\.isListed).map(\.path)
    if known.isEmpty { return .noDevice(address) }
    guard let wanted = address.device, !known.contains(Array(wanted.utf8)) else { return nil }
    return .otherDevices(
      address, known.prefix(Self.mostShownDevices).map { String(printable: $0) })
  }

  private mutating func addNotices(_ inUseBefore: [UInt8]?) {
    if let version = decoder.version, !hasCheckedVersion {
      hasCheckedVersion = true
      if let major = version.major, major != GPSDDecoder.knownMajor {
        notices.append(
          "warning: \(address.text): gpsd \(String(printable: version.release)) speaks "
            + "protocol \(major), this program \(GPSDDecoder.knownMajor): what they share is used")
      }
    }
    if decoder.counts.errors > reportedErrors {
      reportedErrors = decoder.counts.errors
      if let complaint = decoder.complaint, complaint != lastComplaint {
        lastComplaint = complaint
        notices.append(
          "\(address.text): gpsd says: \(String(printable: complaint, atMost: Self.longestComplaint))"
        )
      }
    }
    guard let path = decoder.deviceInUse?.path, path != inUseBefore || source == nil else { return }
    var place = address
    place.device = path.isEmpty ? nil : String(printable: path)
    source = place.text
  }
}
