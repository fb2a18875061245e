internal import Board
import FoundationEssentials
import JSON
import Monitoring
import Quantities

extension HostMessage {
  private struct Welcome: Codable {
    var version: Int
    var pid: Int32
    var source: SourceDescription
    var access: GrantedAccess
    var calibration: CalibrationReport?
    var lastFix: String?
  }

  // The beginning of the most frequent messages, which are read without `JSONDecoder`.
  private static let estimateHead = Array("{\"type\":\"estimate\",\"body\":".utf8)
  private static let samplesHead = Array("{\"type\":\"samples\",\"body\":".utf8)
  private static let receiverHead = Array("{\"type\":\"receiver\",\"body\":".utf8)

  /// The message as a line without its end.
  public var line: [UInt8] {
    switch self {
    case .welcome(let welcome): MessageLine.encoded("welcome", id: nil, Self.coded(welcome))
    case .estimate(let estimate): Self.line(estimate)
    case .samples(let samples): Self.line(samples)
    case .receiver(let output): Self.line(output)
    case .source(let source): MessageLine.encoded("source", id: nil, source)
    case .looked(let id, let source): MessageLine.encoded("looked", id: id, source)
    case .lastFix(let fix): MessageLine.encoded("lastFix", id: nil, EstimateCoding.text(fix))
    case .calibration(let report): MessageLine.encoded("calibration", id: nil, report)
    case .access(let access): MessageLine.encoded("access", id: nil, access)
    case .event(let event): MessageLine.encoded("event", id: nil, event)
    case .journal(let number): MessageLine.encoded("journal", id: nil, number)
    case .notice(let text): MessageLine.encoded("notice", id: nil, text)
    case .done(let id, let fault): MessageLine.encoded("done", id: id, fault)
    case .profiles(let id, let report): MessageLine.encoded("profiles", id: id, report)
    case .registrations(let id, let registrations):
      MessageLine.encoded("registrations", id: id, registrations)
    case .refused(let fault): MessageLine.encoded("refused", id: nil, fault)
    case .goodbye(let reason): MessageLine.encoded("goodbye", id: nil, reason)
    case .unknown(let type): MessageLine.encoded(type, id: nil, Bool?.none)
    }
  }

  private static func line(_ estimate: Estimate) -> [UInt8] {
    var line: [UInt8] = []
    // Most estimates fit, so that memory is allocated once.
    line.reserveCapacity(1280)
    line.append(contentsOf: estimateHead)
    EstimateCoding.append(estimate, to: &line)
    line.append(UInt8(ascii: "}"))
    return line
  }

  private static func line(_ samples: SensorSamples) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(512)
    line.append(contentsOf: samplesHead)
    SampleCoding.append(samples, to: &line)
    line.append(UInt8(ascii: "}"))
    return line
  }

  private static func line(_ output: ReceiverOutput) -> [UInt8] {
    var line = receiverHead
    ReceiverOutputCoding.append(output, to: &line)
    line.append(UInt8(ascii: "}"))
    return line
  }

  /// Reads a line without its end.
  /// - Throws: `HostFault.malformed`, which names the fault.
  public init(line: some Collection<UInt8>) throws(HostFault) {
    if line.starts(with: Self.estimateHead) {
      self = .estimate(
        try Self.body(of: Array(line)) { EstimateCoding.read(&$0) })
      return
    }
    if line.starts(with: Self.samplesHead) {
      self = .samples(
        try Self.body(of: Array(line)) { SampleCoding.read(&$0) })
      return
    }
    if line.starts(with: Self.receiverHead) {
      // Another kind of output, of a newer daemon, is ignored.
      self =
        try Self.body(of: Array(line)) { ReceiverOutputCoding.read(&$0) }.map { .receiver($0) }
        ?? .unknown(type: "receiver")
      return
    }
    let data = Data(line)
    let (type, id) = try MessageLine.head(data)
    func body<Body: Decodable>(_ kind: Body.Type) throws(HostFault) -> Body {
      try MessageLine.body(kind, of: data, type: type)
    }
    switch type {
    case "welcome": self = .welcome(try Self.decoded(try body(Welcome.self)))
    case "source": self = .source(try body(SourceDescription.self))
    case "looked":
      self = .looked(
        id: try MessageLine.number(id, type: type), try body(SourceDescription.self))
    case "lastFix": self = .lastFix(try Self.estimate(try body(String.self)))
    case "calibration": self = .calibration(try body(CalibrationReport.self))
    case "access": self = .access(try body(GrantedAccess.self))
    case "event": self = .event(try body(MonitoringEvent.self))
    case "journal": self = .journal(try body(UInt64.self))
    case "notice": self = .notice(try body(String.self))
    case "done":
      self = .done(
        id: try MessageLine.number(id, type: type),
        try MessageLine.optionalBody(HostFault.self, of: data, type: type))
    case "profiles":
      self = .profiles(
        id: try MessageLine.number(id, type: type), try body(ProfileReport.self))
    case "registrations":
      self = .registrations(
        id: try MessageLine.number(id, type: type), try body(MonitoringRegistrations.self))
    case "refused": self = .refused(try body(HostFault.self))
    case "goodbye": self = .goodbye(try body(String.self))
    default: self = .unknown(type: type)
    }
  }

  /// The body of a frequent message.
  private static func body<Body>(
    of line: [UInt8], _ read: (inout JSONReader) -> Body?
  ) throws(HostFault) -> Body {
    let result = line.withUnsafeBufferPointer { bytes in
      var json = JSONReader(bytes)
      var body: Body?
      if json.beginObject() {
        while let key = json.nextKey() {
          if body == nil, key.is("body") { body = read(&json) } else { json.skip() }
        }
      }
      return json.result(body)
    }
    switch result {
    case .success(let body): return body
    case .failure(let fault): throw .unreadable(fault)
    }
  }

  private static func coded(_ welcome: HostWelcome) -> Welcome {
    Welcome(
      version: welcome.version, pid: welcome.pid, source: welcome.source, access: welcome.access,
      calibration: welcome.calibration, lastFix: welcome.lastFix.map(EstimateCoding.text))
  }

  private static func decoded(_ welcome: Welcome) throws(HostFault) -> HostWelcome {
    var fix: Estimate?
    if let text = welcome.lastFix { fix = try estimate(text) }
    return HostWelcome(
      version: welcome.version, pid: welcome.pid, source: welcome.source, access: welcome.access,
      calibration: welcome.calibration, lastFix: fix)
  }

  private static func estimate(_ text: String) throws(HostFault) -> Estimate {
    do throws(JSONFault) {
      return try EstimateCoding.estimate(text: text)
    } catch {
      throw .unreadable(error)
    }
  }
}

extension HostFault {
  fileprivate static func unreadable(_ fault: JSONFault) -> HostFault {
    HostFault(.malformed, "the message cannot be read: \(fault)")
  }
}
