import FlyingFox
import Foundation

/// One WebSocket in the library's server with limits, which the library's own handler has not: of the frames that wait for
/// the client, and of a message of the client.
struct BoundedWebSocket: WSHandler {
  /// The frames that wait for the client.
  private static let mostFrames = 64
  /// The longest message of a client, bytes.
  private static let longestMessage = 16 * 1024

  /// What receives the messages of a client and the end.
  struct Receiver: Sendable {
    let text: @Sendable ([UInt8]) -> Void
    let end: @Sendable () -> Void
  }

  /// The frames to the client.
  struct Output: Sendable {
    fileprivate let frames: AsyncStream<WSFrame>.Continuation

    /// Sends a text; false where the client does not read.
    func send(_ text: [UInt8]) -> Bool {
      send(WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(text)))
    }

    fileprivate func send(_ frame: WSFrame) -> Bool {
      if case .enqueued = frames.yield(frame) { true } else { false }
    }

    /// Ends the connection.
    func end(_ code: WSCloseCode = .goingAway) {
      frames.yield(.close(code: code))
      frames.finish()
    }
  }

  let open: @Sendable (Output) -> Receiver

  func makeFrames(
    for client: AsyncThrowingStream<WSFrame, any Error>
  ) async throws -> AsyncStream<WSFrame> {
    let (frames, continuation) = AsyncStream.makeStream(
      of: WSFrame.self, bufferingPolicy: .bufferingOldest(Self.mostFrames))
    let output = Output(frames: continuation)
    let receiver = open(output)
    let reading = Task { output.end(await Self.read(client, receiver, output)) }
    continuation.onTermination = { _ in
      reading.cancel()
      receiver.end()
    }
    return frames
  }

  /// Reads messages until the end.
  /// - Returns: The status of the end.
  private static func read(
    _ client: AsyncThrowingStream<WSFrame, any Error>, _ receiver: Receiver, _ output: Output
  ) async -> WSCloseCode {
    // The parts of a message whose last frame has not arrived.
    var message: Data?
    do {
      for try await frame in client {
        switch frame.opcode {
        case .ping:
          var answer = frame
          (answer.opcode, answer.mask) = (.pong, nil)
          guard frame.payload.count < 126, output.send(answer) else { return .protocolError }
        case .pong: break
        case .close: return .normalClosure
        case .text, .continuation:
          guard (message == nil) == (frame.opcode == .text) else { return .protocolError }
          let whole = (message ?? Data()) + frame.payload
          guard whole.count <= longestMessage else { return .messageTooBig }
          message = frame.fin ? nil : whole
          if frame.fin { receiver.text(Array(whole)) }
        default: return .unsupportedData
        }
      }
    } catch {
      return .goingAway
    }
    return .normalClosure
  }
}
