import Foundation
import LinuxIO
import Quantities
import Synchronization

/// A device that sends sentences of NMEA 0183 at a pseudo-terminal, five times a second. It can be
/// lost, as a device whose cable is pulled out, and returns as another terminal with the same name.
final class DeviceTerminal: Sendable {
  /// Time between two sentences, seconds.
  private static let interval = 0.2

  private struct State {
    var terminal: TerminalOutput?
    var isOver = false
  }
  /// The name of the port.
  let path: String
  private let sentences: @Sendable (UTCTime) -> [String]
  private let state = Mutex(State())

  /// A receiver with the machine's time and a fix.
  static func receiver(_ path: String) throws -> DeviceTerminal {
    try DeviceTerminal(path) { now in
      // 2026-11-29T17:31:19.20Z
      let text = now.text(decimals: 2)
      let digits = text.filter(\.isNumber)
      let time = "\(digits.dropFirst(8).prefix(6)).\(digits.suffix(2))"
      let date = "\(digits.dropFirst(6).prefix(2))\(digits.dropFirst(4).prefix(2))"
      return [
        "GNRMC,\(time),A,5430.0000,N,01015.0000,E,1.0,45.0,\(date)\(digits.dropFirst(2).prefix(2)),,,A",
        "GNGGA,\(time),5430.0000,N,01015.0000,E,1,10,0.9,12.0,M,44.0,M,,",
      ]
    }
  }

  /// A compass that points to 98.3 degrees.
  static func compass(_ path: String) throws -> DeviceTerminal {
    try DeviceTerminal(path) { _ in ["HCHDG,98.3,,,2.0,E"] }
  }

  private init(_ path: String, sentences: @escaping @Sendable (UTCTime) -> [String]) throws {
    (self.path, self.sentences) = (path, sentences)
    try restore()
    Thread.detachNewThread { [weak self] in
      while self?.send() == true { Thread.sleep(forTimeInterval: Self.interval) }
    }
  }

  /// Sends the sentences of the present fifth of a second; false at the end.
  private func send() -> Bool {
    let step = Int64(bounded: Self.interval * 1e9)
    let now = SystemClock.reading.utc.nanosecondsSince1970
    let lines = sentences(UTCTime(nanosecondsSince1970: now / step * step)).map { line in
      let sum = line.utf8.reduce(0) { $0 ^ $1 }
      return "$\(line)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n"
    }
    return state.withLock { state in
      state.terminal?.write(Array(lines.joined().utf8))
      return !state.isOver
    }
  }

  /// Takes the device away, with its name.
  func lose() {
    state.withLock { $0.terminal = nil }
    unlink(path)
  }

  /// Attaches the device again.
  func restore() throws {
    let terminal = try TerminalOutput(link: path)
    state.withLock { $0.terminal = terminal }
  }

  /// Ends it for ever.
  func end() {
    state.withLock { $0.isOver = true }
    lose()
  }
}
