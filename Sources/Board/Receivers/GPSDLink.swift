import Configuration
import Formats
import LinuxIO
import Quantities
import ReceiverProtocols

/// The connection to a gpsd daemon, for a receiver or a compass of it.
struct GPSDLink {
  /// Timeout of an attempt to connect, ns.
  private static let connectTime: UInt64 = 10_000_000_000
  /// Timeout of a read, ns: bounds the delay of a stop.
  private static let longestWait: UInt64 = 200_000_000
  /// Timeout of a request's transmission, ns.
  private static let writeTime: UInt64 = 5_000_000_000

  let address: GPSDAddress
  let hardware: any BoardHardware
  let queue: SampleQueue

  /// A buffer as long as the longest line, so that most lines are read whole.
  static var buffer: [UInt8] { [UInt8](repeating: 0, count: GPSDDecoder.longestLine) }

  /// Connects once; also used to report an error before any thread is started.
  func connect() throws(NetworkError) -> StreamSocket {
    let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.connectTime)
    let stream = try StreamSocket(
      host: address.host, port: Int(address.port), until: deadline,
      isStopped: { queue.isStopped })
    if hardware.refusesOwnServers, stream.isOwnServer {
      throw NetworkError(.ownServer, peer: stream.peer)
    }
    return stream
  }

  /// Reads once.
  /// - Returns: Whether any byte was received.
  func receive(
    from stream: StreamSocket, _ bytes: inout [UInt8], _ session: inout GPSDSession,
    _ rows: inout [SensorSamples]
  ) throws(NetworkError) -> Bool {
    let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.longestWait)
    let count = try stream.read(into: &bytes, until: deadline)
    guard count > 0 else { return false }
    bytes.withUnsafeBytes {
      session.push(UnsafeRawBufferPointer(rebasing: $0[..<count]), at: hardware.now) {
        rows.append($0)
      }
    }
    return true
  }

  /// Sends the request that is due; throws where the daemon does not answer.
  func keepAlive(_ stream: StreamSocket, _ session: inout GPSDSession) throws(NetworkError) {
    if let request = session.request(at: hardware.now) {
      let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.writeTime)
      try stream.write(Array("\(request)".utf8), until: deadline)
    }
    if session.isDead(at: hardware.now) { throw NetworkError(.timedOut, peer: stream.peer) }
  }
}
