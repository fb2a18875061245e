import Configuration
import Formats
import LinuxIO
import Observers
import Quantities
import ReceiverProtocols

/// The thread of a receiver behind a gpsd daemon: connects, requests reports, reads them, and
/// connects again after a lost connection.
struct GPSDThread {
  /// Timeout of an attempt to connect, ns.
  private static let connectTime: UInt64 = 10_000_000_000
  /// Timeout of a read, ns: bounds the delay of a stop.
  private static let longestWait: UInt64 = 200_000_000
  /// Timeout of a request's transmission, ns.
  private static let writeTime: UInt64 = 5_000_000_000

  let address: GPSDAddress
  let compass: Board.Compass?
  /// The line between the receiver's antennas.
  let baseline: Board.Baseline
  let hardware: any BoardHardware
  let queue: SampleQueue
  let monitor: BoardMonitor
  /// Withholds fixes while the receiver rests; the daemon's receiver itself is not put to sleep.
  let rest: SharedReceiverRest
  let receiverOutput: ObserverList<ReceiverOutput>

  /// Reads reports until the queue is stopped.
  func run() {
    var delay = RetryDelay()
    while !queue.isStopped {
      do throws(NetworkError) {
        var session = GPSDSession(
          address: address, startedAt: hardware.now, compass: compass, baseline: baseline
        ) { [monitor] report in
          if case .epoch(let epoch) = report { monitor.receiver(epoch: epoch) }
          receiverOutput.publish(report)
        }
        try read(try connect(), &session, &delay)
      } catch {
        guard error.kind != .stopped else { return }
        monitor.receiver(fault: GPSDFault.connection(address, error).description)
        queue.waitForStop(atMost: delay.next())
      }
    }
  }

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

  private func read(
    _ stream: StreamSocket, _ session: inout GPSDSession, _ delay: inout RetryDelay
  ) throws(NetworkError) {
    var rows: [SensorSamples] = []
    // As long as the longest line, so that most lines are read whole.
    var bytes = [UInt8](repeating: 0, count: GPSDDecoder.longestLine)
    var watch = LineWatch(address.text, for: .receiver, at: hardware.now)
    while !queue.isStopped {
      rows.removeAll(keepingCapacity: true)
      let came = try receive(from: stream, &bytes, &session, &rows)
      if came, session.hasAnswered { delay.reset() }
      let now = hardware.now
      // The session itself watches the daemon's silence.
      watch.add(
        bytes: 1, isSentence: true, isUseful: rows.contains { $0.fix?.position != nil },
        hasTime: rows.contains { $0.fix?.utc != nil }, at: now)
      if rest.isAsleep { watch.restart(at: now) }
      rest.filter(&rows, at: now)
      queue.put(rows)
      for notice in session.takeNotices() { monitor.notice(ofPeer: notice) }
      if let source = session.source { monitor.receiver(source: source) }
      let fault = session.fault(at: hardware.now)
      // A connection alone does not clear an older fault; a report does.
      if fault != nil || session.hasReported {
        monitor.receiver(
          fault: fault?.description, lack: fault == nil ? watch.lack(at: now) : nil)
      }
      if let request = session.request(at: hardware.now) { try send(request, to: stream) }
      if session.isDead(at: hardware.now) { throw NetworkError(.timedOut, peer: stream.peer) }
    }
  }

  /// Reads once.
  /// - Returns: Whether any byte was received.
  private func receive(
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

  private func send(_ text: StaticString, to stream: StreamSocket) throws(NetworkError) {
    let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.writeTime)
    try stream.write(Array("\(text)".utf8), until: deadline)
  }
}
