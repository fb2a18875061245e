import Formats
import Quantities

/// A connection that has become a WebSocket.
struct WebSocketSession {
  /// Limit of a client's message, bytes.
  private static let longestMessage = 16 * 1024
  /// Limit of the waiting output, bytes.
  private static let mostWaiting = 64 * 1024
  /// The interval of pings, so that a connection without messages is not taken for lost, seconds.
  private static let pingInterval = 20.0
  /// Time without data of a client, which answers pings, until its connection is closed, seconds.
  private static let longestSilence = 60.0

  private let number: Int
  private let sockets: WebSockets
  private var reader = WebSocketReader(longest: longestMessage)
  private var lastArrival: Timestamp
  private var lastPing: Timestamp

  init(_ number: Int, _ sockets: WebSockets, at now: Timestamp) {
    (self.number, self.sockets, lastArrival, lastPing) = (number, sockets, now, now)
  }

  /// Handles received bytes.
  mutating func receive(
    _ bytes: ArraySlice<UInt8>, at now: Timestamp
  ) throws(StreamRefusal) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    lastArrival = now
    sockets.report(number, .sign)
    reader.append(bytes)
    var output: [UInt8] = []
    while true {
      let message: WebSocketReader.Message
      do throws(WebSocketReader.Fault) {
        guard let next = try reader.next() else { return output }
        message = next
      } catch {
        throw StreamRefusal(
          output: output + WebSocketFrame.close(error.status),
          end: StreamEnd(note: "a WebSocket was closed: \(error)"))
      }
      switch message {
      case .ping(let payload): output += WebSocketFrame.pong(payload)
      case .text(let text): sockets.report(number, .text(text))
      case .binary: break
      case .close:
        throw StreamRefusal(
          output: output + WebSocketFrame.close(1000), end: StreamEnd(note: nil))
      }
    }
  }

  /// The messages that wait, and a ping where it is due.
  mutating func advance(at now: Timestamp) throws(StreamRefusal) -> [UInt8] {
    let (frames, isLast) = sockets.removeFrames(number)
    var output = frames.count == 1 ? frames[0] : frames.flatMap { $0 }
    if isLast {
      // 1008: a rule of the server, such as a permission.
      throw StreamRefusal(output: output + WebSocketFrame.close(1008), end: StreamEnd(note: nil))
    }
    if now.seconds(since: lastPing) >= Self.pingInterval {
      lastPing = now
      output += WebSocketFrame.ping
    }
    return output
  }

  func end(_ traffic: StreamTraffic) -> StreamEnd? {
    if traffic.waitingBytes > Self.mostWaiting {
      return StreamEnd(note: "a WebSocket was closed: its client does not read")
    }
    let isSilent = traffic.now.seconds(since: lastArrival) > Self.longestSilence
    return isSilent ? StreamEnd(note: nil) : nil
  }
}
