import Foundation
import LinuxIO
import Servers

/// A broker for one client at a time: accepts, acknowledges and notes what is published. It listens
/// from `start` on.
final class MQTTTestBroker: Sendable {
  struct Message: Sendable {
    var topic: String
    var text: String
    var isRetained: Bool
  }

  private struct State {
    var messages: [Message] = []
    var clients: [String] = []
    var will: String?
    var hasDisconnected = false
  }

  private struct Failure: Error {
    var code: Int32
  }

  let port: Int
  private let listener: Listener
  private let state = Locked(State())

  init() throws {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, length) == 0 && getsockname(file, $0, &length) == 0 ? 0 : errno
      }
    }
    guard code == 0 else { throw Failure(code: code) }
    (listener, port) = (Listener(file: file), Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Closes the socket when neither the broker nor its thread uses it any more.
  private final class Listener: Sendable {
    let file: Int32
    init(file: Int32) { self.file = file }
    deinit { close(file) }
  }

  var messages: [Message] { state.withLock { $0.messages } }
  var clients: [String] { state.withLock { $0.clients } }
  var will: String? { state.withLock { $0.will } }
  var hasDisconnected: Bool { state.withLock { $0.hasDisconnected } }

  /// Listens.
  /// - Parameters:
  ///   - most: The states after whose acknowledgement the first connection is closed; nil for none.
  ///   - code: The return code for CONNECT.
  func start(acknowledging most: Int? = nil, answering code: UInt8 = 0) {
    listen(listener.file, 8)
    let thread = Thread { [weak self, listener] in
      var most = most
      while self != nil {
        var waiting = pollfd(fd: listener.file, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 50) > 0 else { continue }
        let connection = accept(listener.file, nil, nil)
        guard connection >= 0, let self else { return }
        self.serve(connection, most, code)
        close(connection)
        most = nil
        if self.hasDisconnected { return }
      }
    }
    thread.start()
  }

  /// - Source: MQTT 3.1.1, chapters 2 and 3.
  private func serve(_ connection: Int32, _ most: Int?, _ code: UInt8) {
    var states = 0
    while let (kind, body) = packet(connection) {
      switch kind >> 4 {
      case 1:
        // Protocol name and level, flags, keep-alive, then the identifier and the will.
        var fields = Fields(bytes: body[10...])
        let (client, _, will) = (fields.text(), fields.text(), fields.text())
        state.withLock { state in
          state.clients.append(client)
          state.will = will
        }
        send([0x20, 2, 0, code], connection)
        if code != 0 { return }
      case 3:
        var fields = Fields(bytes: body[...])
        let topic = fields.text()
        let number = Array(fields.bytes.prefix(2))
        let text = String(decoding: fields.bytes.dropFirst(2), as: UTF8.self)
        state.withLock {
          $0.messages.append(Message(topic: topic, text: text, isRetained: kind & 1 == 1))
        }
        if topic.hasSuffix("/state") || topic.hasSuffix("/history") {
          if states == most { return }
          states += 1
        }
        send([0x40, 2] + number, connection)
      case 14:
        state.withLock { $0.hasDisconnected = true }
        return
      default: break
      }
    }
  }

  /// Texts with their lengths.
  private struct Fields {
    var bytes: ArraySlice<UInt8>

    mutating func text() -> String {
      guard bytes.count >= 2 else { return "" }
      let count = Int(bytes.removeFirst()) << 8 | Int(bytes.removeFirst())
      defer { bytes = bytes.dropFirst(count) }
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  private func packet(_ connection: Int32) -> (kind: UInt8, body: [UInt8])? {
    guard let kind = bytes(1, connection)?.first else { return nil }
    var (length, shift) = (0, 0)
    while let byte = bytes(1, connection)?.first {
      length |= Int(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return bytes(length, connection).map { (kind, $0) }
  }

  private func bytes(_ count: Int, _ connection: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: max(1, count))
    while bytes.count < count {
      let read = recv(connection, &buffer, count - bytes.count, 0)
      guard read > 0 else { return nil }
      bytes += buffer[..<read]
    }
    return bytes
  }

  private func send(_ bytes: [UInt8], _ connection: Int32) {
    _ = Foundation.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
