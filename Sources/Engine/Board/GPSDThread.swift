import Configuration
import Formats
import LinuxIO
import Quantities
import ReceiverProtocols

/// The thread of a receiver behind a gpsd daemon: connects, requests reports, reads them, and connects
/// again after a lost connection.
struct GPSDThread {
  /// Timeout of an attempt to connect, ns.
  private static let connectTime: UInt64 = 10_000_000_000
  /// Timeout of a read, ns: bounds the delay of a stop.
  private static let longestWait: UInt64 = 200_000_000
  /// Timeout of a request's transmission, ns.
  private static let writeTime: UInt64 = 5_000_000_000

  let address: GPSDAddress
  let hardware: any BoardHardware
  let queue: SampleQueue
  let monitor: BoardMonitor
  /// Withholds fixes while the receiver rests; the daemon's receiver itself is not put to sleep.
  let rest: SharedReceiverRest

  /// Reads reports until the queue is stopped.
  func run() {
    var delay = RetryDelay()
    while !queue.isStopped {
      do throws(NetworkError) {
        var session = GPSDSession(address: address, startedAt: hardware.now)
        try read(try connect(), &session, &delay)
      } catch {
        guard error.kind != .stopped else { return }
        monitor.receiver(fault: GPSDFault.connection(address, error).description)
        queue.waitForStop(atMost: delay.next())
      }
    }
  }

  /// Connects once; also used to report an error before any thread is started.
  func connect() throws(NetworkError) -> TCPStream {
    let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.connectTime)
    return try TCPStream(
      host: address.host, port: address.port, until: deadline, isStopped: { queue.isStopped })
  }

  private func read(
    _ stream: TCPStream, _ session: inout GPSDSession, _ delay: inout RetryDelay
  ) throws(NetworkError) {
    var rows: [SensorSamples] = []
    while !queue.isStopped {
      rows.removeAll(keepingCapacity: true)
      let came = try receive(from: stream, &session, &rows)
      if came, session.hasAnswered { delay.reset() }
      rest.filter(&rows, at: hardware.now)
      queue.put(rows)
      for notice in session.takeNotices() { monitor.notice(notice) }
      if let source = session.source { monitor.receiver(source: source) }
      let fault = session.fault(at: hardware.now)
      // A connection alone does not clear an older fault; a report does.
      if fault != nil || session.hasReported { monitor.receiver(fault: fault?.description) }
      if let request = session.request(at: hardware.now) { try send(request, to: stream) }
      if session.isDead(at: hardware.now) { throw NetworkError(.timedOut, peer: stream.peer) }
    }
  }

  private func receive(
    from stream: TCPStream, _ session: inout GPSDSession, _ rows: inout [SensorSamples]
  ) throws(NetworkError) -> Bool {
    // A typed error does not pass through the standard library's closures.
    var failure: NetworkError?
    var count = 0
    // As long as the longest line, so that most lines are read whole.
    withUnsafeTemporaryAllocation(byteCount: GPSDDecoder.longestLine, alignment: 1) { bytes in
      do throws(NetworkError) {
        let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.longestWait)
        count = try stream.read(into: bytes, until: deadline)
        guard count > 0 else { return }
        session.push(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: hardware.now) {
          rows.append($0)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return count > 0
  }

  private func send(_ text: StaticString, to stream: TCPStream) throws(NetworkError) {
    let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.writeTime)
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    try stream.write(bytes, until: deadline)
  }
}
