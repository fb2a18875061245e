import Foundation
import HostProtocol
import Monitoring
import Quantities

/// The lines that the daemon receives: a message that is written and read again unchanged, or a
/// refusal in one line; monitoring that executes the commands stays within its limits, and its
/// stored state reads back.
struct ClientProtocolBody: FuzzBody {
  private var buffer = LineBuffer(limit: Lines.limit)

  /// Two lines of the greatest length, with the room that an array reserves.
  var mostHeldBytes: Int { 65_536 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var monitor = ApplicationMonitor()
    var seconds = 0.0
    for line in try Lines.all(input) {
      guard let message = try Self.message(line) else { continue }
      switch message {
      case .monitor(_, let command):
        seconds += 1
        monitor.perform(command, at: MonitorPromises.start.advanced(bySeconds: seconds))
        if let place = command.place {
          monitor.process(MonitorPromises.fix(at: place, second: seconds))
        }
      case .calibrate(_, .use(let coded)):
        if let calibration = coded.calibration {
          let iron = calibration.hardIron.microtesla
          try Bounds.numbers(iron.x, iron.y, iron.z)
        }
      default: continue
      }
      try monitor.checkPromises()
    }
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    buffer.append(input)
    Lines.read(from: &buffer) { _ in }
  }

  /// The message of a line; nil where it is refused.
  private static func message(_ line: [UInt8]) throws(Violation) -> ClientMessage? {
    let message: ClientMessage
    do throws(HostFault) {
      message = try ClientMessage(line: line)
    } catch {
      try Lines.check(error, of: line)
      return nil
    }
    let written = message.line
    try Lines.checkLength(written, of: line, beside: 256)
    try expect(!written.contains(UInt8(ascii: "\n")), "a line end inside of a line")
    do throws(HostFault) {
      let again = try ClientMessage(line: written)
      try Self.expectEqual(again, message)
    } catch {
      throw Violation(
        "a written message is refused: \(error): \(String(decoding: written, as: UTF8.self))")
    }
    return message
  }

  private static func expectEqual(_ a: ClientMessage, _ b: ClientMessage) throws(HostFault) {
    if a != b { throw HostFault(.other, "\(a) is not \(b)") }
  }
}

extension MonitoringCommand {
  /// A place of the command's area.
  fileprivate var place: GeodeticPosition? {
    switch self {
    case .startRegion(let region), .requestState(let region): region.condition.place
    case .addCondition(_, _, let condition, _): condition.place
    default: nil
    }
  }
}

extension MonitoredCondition {
  fileprivate var place: GeodeticPosition? {
    switch self {
    case .circle(let center, _): center
    case .polygon(let vertices): vertices.first
    case .beacon: nil
    }
  }
}
