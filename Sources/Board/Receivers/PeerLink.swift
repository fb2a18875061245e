import LinuxIO
import Quantities

/// The connection to a program that provides positions or headings (`PeerSession`).
struct PeerLink<Session: PeerSession> {
  /// Timeout of an attempt to connect, ns.
  private static var connectTime: UInt64 { 10_000_000_000 }
  /// Timeout of a read, ns: bounds the delay of a stop.
  private static var longestWait: UInt64 { 200_000_000 }
  /// Timeout of a request's transmission, ns.
  private static var writeTime: UInt64 { 5_000_000_000 }

  let address: Session.Address
  let hardware: any BoardHardware
  let queue: SampleQueue

  /// A buffer for `receive`.
  static var buffer: [UInt8] { [UInt8](repeating: 0, count: Session.usualRead) }

  /// Connects once; also used to report an error before any thread is started.
  func connect() throws(NetworkError) -> StreamSocket {
    let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.connectTime)
    let stream = try address.connect(until: deadline) { queue.isStopped }
    if hardware.refusesOwnServers, stream.isOwnServer {
      throw NetworkError(.ownServer, peer: stream.peer)
    }
    return stream
  }

  /// Reads once.
  /// - Returns: Whether any byte was received.
  func receive(
    from stream: StreamSocket, _ bytes: inout [UInt8], _ session: inout Session,
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

  /// Sends what is due; throws where the program does not answer, or has refused.
  func keepAlive(_ stream: StreamSocket, _ session: inout Session) throws(NetworkError) {
    while let output = session.output(at: hardware.now) {
      let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.writeTime)
      try stream.write(output, until: deadline, isStopped: { queue.isStopped })
    }
    if session.refusal != nil { throw NetworkError(.closed, peer: stream.peer) }
    if session.isDead(at: hardware.now) { throw NetworkError(.timedOut, peer: stream.peer) }
  }

  /// Why a connection ended: what the session has found, else the error.
  func fault(_ session: Session?, _ error: NetworkError) -> String {
    "\(session?.refusal ?? Session.fault(address, error))"
  }
}
