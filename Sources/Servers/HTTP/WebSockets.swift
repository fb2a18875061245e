import Formats
import LinuxIO

/// What happens at a WebSocket.
package enum WebSocketEvent: Sendable {
  /// With the attributes that its request was given, such as `subscribe`.
  case opened([String: String])
  case text([UInt8])
  /// Data has arrived, such as the answer to a ping.
  case sign
  case closed
}

/// The WebSockets of a port: the messages that wait for the port's thread, and its reports.
package final class WebSockets: Sendable {
  /// Limit of the WebSockets.
  package static let most = 100
  /// Limit of the messages of one WebSocket that wait for the thread, some seconds; beyond it new
  /// ones are dropped.
  private static let mostMessages = 1024

  private struct Socket {
    let client: StreamClient
    var frames: [[UInt8]] = []
    /// Whether the connection is closed after the frames.
    var isLast = false
  }

  private let open = Locked<[Int: Socket]>([:])
  private let receiver = Locked<(@Sendable (Int, WebSocketEvent) -> Void)?>(nil)

  package init() {}

  /// The number of open WebSockets.
  package var count: Int { open.withLock { $0.count } }

  /// Sets who receives the events of each WebSocket, by its number, on the port's thread, so it
  /// must return at once.
  package func receive(_ receiver: @escaping @Sendable (Int, WebSocketEvent) -> Void) {
    self.receiver.withLock { $0 = receiver }
  }

  /// Sends a message of text to one WebSocket, or to all, and closes it after the last one.
  package func send(_ text: [UInt8], to number: Int? = nil, isLast: Bool = false) {
    send(frame: WebSocketFrame.text(text), to: number, isLast: isLast)
  }

  /// Sends a message of bytes to one WebSocket.
  func send(binary: [UInt8], to number: Int) {
    send(frame: WebSocketFrame.binary(binary), to: number)
  }

  private func send(frame: [UInt8], to number: Int?, isLast: Bool = false) {
    let clients = open.withLock { open in
      let numbers = number.map { [$0] } ?? Array(open.keys)
      return numbers.compactMap { number -> StreamClient? in
        guard let socket = open[number], !socket.isLast else { return nil }
        let isFull = socket.frames.count >= Self.mostMessages
        if !isFull { open[number]?.frames.append(frame) }
        // Closed also where the last message has no place.
        open[number]?.isLast = isLast
        return isFull && !isLast ? nil : socket.client
      }
    }
    for client in clients { client.wake() }
  }

  // MARK: The port's thread

  /// Adds a WebSocket; false where there are too many.
  func open(_ client: StreamClient) -> Bool {
    open.withLock { open in
      guard open.count < Self.most else { return false }
      open[client.number] = Socket(client: client)
      return true
    }
  }

  func report(_ number: Int, _ event: WebSocketEvent) { receiver.withLock { $0 }?(number, event) }

  /// The messages that wait for a WebSocket, and whether it is closed after them.
  func removeFrames(_ number: Int) -> (frames: [[UInt8]], isLast: Bool) {
    open.withLock { open in
      guard let socket = open[number] else { return ([], false) }
      open[number]?.frames = []
      return (socket.frames, socket.isLast)
    }
  }

  func close(_ number: Int) {
    guard open.withLock({ $0.removeValue(forKey: number) != nil }) else { return }
    report(number, .closed)
  }
}
