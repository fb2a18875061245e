import Foundation
import HostProtocol
import LinuxIO
import Monitoring
import Quantities

/// A client's end of the daemon's socket: sends any bytes, and reads lines.
final class Connection {
  private let socket: StreamSocket
  private var input = LineBuffer(limit: LineLimit.reply)
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// Connects; while the daemon's queue of new connections is full, it tries again for 5 s.
  convenience init(_ daemon: AttackedDaemon) throws { try self.init(path: daemon.socketPath) }

  /// The same by the path of the socket.
  init(path: String) throws {
    let begin = MonotonicClock.now
    while true {
      do throws(NetworkError) {
        socket = try StreamSocket(path: path)
        return
      } catch {
        guard MonotonicClock.now.seconds(since: begin) < 5 else { throw error }
        Thread.sleep(forTimeInterval: 0.002)
      }
    }
  }

  /// Connects and sends `hello`.
  convenience init(_ daemon: AttackedDaemon, _ application: String) throws {
    try self.init(daemon)
    send([.hello(ClientHello(application: application, client: "attack", pid: getpid()))])
  }

  /// Sends messages; false where the connection is closed or accepts nothing for `seconds`.
  @discardableResult
  func send(_ messages: [ClientMessage], within seconds: Double = 5) -> Bool {
    send(bytes: messages.flatMap { $0.line + [UInt8(ascii: "\n")] }, within: seconds)
  }

  /// Sends any bytes; false where the connection is closed or accepts nothing for `seconds`.
  @discardableResult
  func send(bytes: [UInt8], within seconds: Double = 5) -> Bool {
    do throws(NetworkError) {
      try socket.write(bytes, until: MonotonicClock.now.advanced(bySeconds: seconds))
      return true
    } catch {
      return false
    }
  }

  /// The next line; nil at the deadline.
  /// - Throws: Where the connection is closed.
  func line(until deadline: Timestamp) throws -> String? {
    while true {
      if let line = try input.next() { return String(decoding: line, as: UTF8.self) }
      let count = try socket.read(into: &buffer, until: deadline)
      guard count > 0 else { return nil }
      buffer.withUnsafeBytes { input.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// The next line with a word; nil after `seconds`.
  func line(with word: String, within seconds: Double = 10) throws -> String? {
    let deadline = MonotonicClock.now.advanced(bySeconds: seconds)
    while let line = try line(until: deadline) {
      if line.contains(word) { return line }
    }
    return nil
  }
}

extension MonitoredRegion {
  /// A circle far from the simulated board.
  static func circle(_ identifier: String) -> MonitoredRegion {
    MonitoredRegion(
      identifier: identifier,
      condition: .circle(
        center: GeodeticPosition(latitudeDegrees: 10, longitudeDegrees: 20), radiusMetres: 100))
  }

  /// A polygon with a number of corners on a circle around a place.
  static func polygon(_ identifier: String, corners: Int) -> MonitoredRegion {
    let vertices = (0..<corners).map { corner in
      let angle = 2 * Double.pi * Double(corner) / Double(corners)
      return GeodeticPosition(
        latitudeDegrees: 10 + 0.1 * sin(angle), longitudeDegrees: 20 + 0.1 * cos(angle))
    }
    return MonitoredRegion(identifier: identifier, condition: .polygon(vertices: vertices))
  }
}

extension MonitoringCommand {
  /// Watches a polygon as a condition, which may have more corners than a region.
  static func addPolygon(_ identifier: String, corners: Int) -> MonitoringCommand {
    .addCondition(
      monitor: "attack", identifier: identifier,
      condition: MonitoredRegion.polygon("", corners: corners).condition, assuming: .unknown)
  }
}
