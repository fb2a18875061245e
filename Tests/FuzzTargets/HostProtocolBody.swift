import HostClient
import HostProtocol
import Quantities

/// The lines that a client receives: a message whose written form does not change when it is read
/// and written again, or a refusal in one line. A client's mirror of monitoring takes the messages.
struct HostProtocolBody: FuzzBody {
  private var buffer = LineBuffer(limit: Lines.limit)

  /// The same as for the other direction.
  var mostHeldBytes: Int { 65_536 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var mirror = MonitoringMirror()
    for line in try Lines.all(input) {
      guard let message = try Self.message(line) else { continue }
      let written = message.line
      // An estimate has every flag and a timestamp.
      try Lines.checkLength(written, of: line, beside: 512)
      try expect(!written.contains(UInt8(ascii: "\n")), "a line end inside of a line")
      guard let again = try Self.message(written) else {
        throw Violation("a written message is refused: \(String(decoding: written, as: UTF8.self))")
      }
      // Compared as text: a number that is none differs from itself.
      try expect(
        again.line == written,
        "\(String(decoding: written, as: UTF8.self)) reads back as "
          + String(decoding: again.line, as: UTF8.self))
      try Self.use(message)
      try Self.pass(message, to: &mirror)
    }
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    buffer.append(input)
    Lines.read(from: &buffer) { _ in }
  }

  private static func message(_ line: [UInt8]) throws(Violation) -> HostMessage? {
    do throws(HostFault) {
      return try HostMessage(line: line)
    } catch {
      try Lines.check(error, of: line)
      return nil
    }
  }

  /// Gives a message to the mirror, as a client does; each new event is acknowledged.
  private static func pass(
    _ message: HostMessage, to mirror: inout MonitoringMirror
  ) throws(Violation) {
    switch message {
    case .event(let event):
      if !mirror.receive(event) { _ = mirror.acknowledgeAgain(event.sequence, id: 1) }
    case .journal(let number): mirror.journalIs(number)
    case .registrations(let id, let registrations):
      _ = mirror.resumption(id: id)
      _ = mirror.receive(registrations, id: id)
      mirror.learn(registrations)
    case .done(let id, let fault): _ = mirror.confirm(id, fault)
    default: return
    }
    let new = mirror.deliverNew()
    try expect(Set(new.map(\.sequence)).count == new.count, "two events of one number")
    for event in new {
      _ = mirror.perform(.acknowledge(sequence: event.sequence), id: event.sequence)
    }
  }

  /// Computes what a client computes at once.
  private static func use(_ message: HostMessage) throws(Violation) {
    let report: CalibrationReport? =
      switch message {
      case .calibration(let report): report
      case .welcome(let welcome): welcome.calibration
      default: nil
      }
    let iron = report?.inUse?.calibration?.softIron.determinant
    try expect(iron == nil || report?.inUse?.softIron.count == 3, "a soft iron of other size")
  }
}
