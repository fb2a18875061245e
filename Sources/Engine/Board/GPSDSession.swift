import BoardFile
import Quantities
import ReceiverProtocols
import Recording

/// One connection to a gpsd daemon: bytes in, instants out, and what is to be asked and told. It has no
/// socket and no clock of its own.
package struct GPSDSession {
  /// A daemon that says nothing for as long as this is told, s.
  package static let patience = 10.0
  /// One that does not even answer a question for as long as this is connected to anew, s.
  package static let longestSilence = 30.0
  /// After as long as this without a line it is asked whether it is there, s.
  private static let questionTime = 5.0
  /// A daemon tells its version at once; where it does not it is asked for reports all the same, s.
  private static let greetingTime = 2.0

  private let address: GPSDAddress
  private var decoder: GPSDDecoder
  private var lastLine: Timestamp
  private var lastReport: Timestamp
  /// True once an epoch or a heading has come.
  package private(set) var hasReported = false
  private let startedAt: Timestamp
  private var hasAsked = false
  private var lastQuestion: Timestamp
  private var lastComplaint: [UInt8]?
  private var toldVersion = false
  private var toldComplaints: Int64 = 0
  private var notices: [String] = []

  package init(address: GPSDAddress, startedAt: Timestamp) {
    self.address = address
    decoder = GPSDDecoder(device: address.device.map { Array($0.utf8) })
    self.startedAt = startedAt
    (lastLine, lastReport, lastQuestion) = (startedAt, startedAt, startedAt)
  }

  /// What has come in so far, the bad included.
  package var counts: GPSDCounts { decoder.counts }
  /// True once a line was understood.
  package var hasAnswered: Bool { decoder.counts.accepted > 0 }
  /// Where fixes come from: the daemon and its device; nil before the first.
  package private(set) var source: String?

  /// Takes bytes in.
  package mutating func push(
    _ bytes: UnsafeRawBufferPointer, at now: Timestamp, _ deliver: (SensorRow) -> Void
  ) {
    let (accepted, inUse) = (decoder.counts.accepted, decoder.deviceInUse?.path)
    var reports = 0
    decoder.push(bytes, at: now) { report in
      reports += 1
      ReceiverStream.row(report, at: now).map(deliver)
    }
    if decoder.counts.accepted > accepted { lastLine = now }
    if reports > 0 { (lastReport, hasReported) = (now, true) }
    takeNote(inUse)
  }

  /// What is to be sent now; nil for nothing. The daemon is asked for reports once it has told its version,
  /// and for its devices where it says nothing: the answer shows that it lives.
  /// - Source: gpsd_json(5), "?WATCH" and "?DEVICES".
  package mutating func request(at now: Timestamp) -> StaticString? {
    if !hasAsked, hasAnswered || now.seconds(since: startedAt) >= Self.greetingTime {
      hasAsked = true
      // Which device is used is decided here: the request's key for it may not fit into the 80 characters
      // that a request may have, and a device may come later.
      return "?WATCH={\"enable\":true,\"json\":true};\n"
    }
    guard now.seconds(since: max(lastLine, lastQuestion)) >= Self.questionTime else { return nil }
    lastQuestion = now
    return "?DEVICES;\n"
  }

  /// Why there are no reports; nil where there are.
  package func fault(at now: Timestamp) -> GPSDFault? {
    if decoder.hasDeviceList, let fault = deviceFault { return fault }
    let silence = now.seconds(since: lastReport)
    guard silence >= Self.patience else { return nil }
    guard now.seconds(since: lastLine) < Self.patience else {
      return .silent(address, seconds: Int(now.seconds(since: lastLine)))
    }
    return .noReports(
      address, seconds: Int(silence),
      complaint: decoder.complaint.map { Self.printable($0) })
  }

  /// True where the daemon does not even answer.
  package func isDead(at now: Timestamp) -> Bool {
    now.seconds(since: lastLine) >= Self.longestSilence
  }

  /// What people are to be told since the last time.
  package mutating func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  /// One short line of what another machine sent, without what a terminal would obey.
  private static func printable(_ bytes: [UInt8]) -> String {
    let longest = 120
    return String(
      decoding: bytes.prefix(longest).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 },
      as: UTF8.self)
  }

  private var deviceFault: GPSDFault? {
    guard !decoder.devices.contains(where: { $0.path.isEmpty && $0.isActive }) else { return nil }
    let known = decoder.devices.filter(\.isListed).map { String(decoding: $0.path, as: UTF8.self) }
    if known.isEmpty { return .noDevice(address) }
    guard let wanted = address.device, !known.contains(wanted) else { return nil }
    return .otherDevices(address, known)
  }

  private mutating func takeNote(_ inUseBefore: [UInt8]?) {
    if let version = decoder.version, !toldVersion {
      toldVersion = true
      if let major = version.major, major != GPSDDecoder.knownMajor {
        notices.append(
          "warning: \(address.text): gpsd \(String(decoding: version.release, as: UTF8.self)) speaks "
            + "protocol \(major), this program \(GPSDDecoder.knownMajor): what they share is used")
      }
    }
    if decoder.counts.errors > toldComplaints {
      toldComplaints = decoder.counts.errors
      if let complaint = decoder.complaint, complaint != lastComplaint {
        lastComplaint = complaint
        notices.append("\(address.text): gpsd says: \(Self.printable(complaint))")
      }
    }
    guard let path = decoder.deviceInUse?.path, path != inUseBefore || source == nil else { return }
    var place = address
    place.device = path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
    source = place.text
  }
}
