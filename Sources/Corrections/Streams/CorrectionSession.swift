import Chips
import Configuration
import LinuxIO
import Quantities
import ReceiverProtocols

/// Who uses the corrections of a session. The session's thread calls it.
package protocol CorrectionConsumer {
  /// True once the session must end. Read several times a second.
  var isStopped: Bool { get }
  /// Waits, at most until the session must end.
  func waitForStop(atMost seconds: Double)
  /// The newest fix with a position; nil before the first.
  var newestFix: Fix? { get }
  /// Receives a whole frame with a valid checksum. Must not wait.
  func receive(type: Int?, frame: [UInt8])
  /// Receives the state of the session.
  func report(_ state: CorrectionState)
}

/// The state of a session.
package enum CorrectionState: Equatable, Sendable {
  /// A connection is made; to what.
  case connecting(String)
  /// Connected, and no message yet; with what.
  case connected(String)
  /// Messages come; from where.
  case receiving(String)
  /// There is no connection; why. It is tried again.
  case waiting(CorrectionFault, String)

  /// Whether messages come.
  package var isReceiving: Bool { if case .receiving = self { true } else { false } }

  /// One line to display.
  package var text: String {
    switch self {
    case .connecting(let place): "connecting to \(place)"
    case .connected(let place): "\(place), no message yet"
    case .receiving(let place): place
    case .waiting(_, let text): text
    }
  }
}

/// Reads corrections of a source in the network or at a serial port until it is stopped, on the
/// caller's thread. A lost source is opened again, after longer and longer delays.
package struct CorrectionSession<Consumer: CorrectionConsumer> {
  private let source: Board.CorrectionSource
  private let consumer: Consumer
  private let delays: CorrectionDelays

  /// Makes a session; a file is no source of it.
  package init(
    _ source: Board.CorrectionSource, for consumer: Consumer,
    delays: CorrectionDelays = CorrectionDelays()
  ) {
    (self.source, self.consumer, self.delays) = (source, consumer, delays)
  }

  /// Reads until the consumer stops it.
  package func run() {
    var delays = self.delays
    while !consumer.isStopped {
      var count = 0
      let begin = MonotonicClock.now
      let fault = connect(&count)
      if fault == .stopped { return }
      // A connection that ends at once does not count as a success: two clients may share an
      // account.
      let duration = MonotonicClock.now.seconds(since: begin)
      if count > 0, duration >= delays.leastDuration { delays.reset() }
      consumer.report(.waiting(fault, text(of: fault)))
      consumer.waitForStop(atMost: delays.next(after: fault))
    }
  }

  /// Connects once and reads until the connection ends.
  /// - Returns: Why it has ended.
  package func runOnce() -> CorrectionFault {
    var count = 0
    return connect(&count)
  }

  private func text(of fault: CorrectionFault) -> String {
    // A fault of a port names it.
    if case .port = fault { return "\(fault), trying again" }
    return "\(source): \(isNearest ? fault.withoutMountPoint : fault), trying again"
  }

  /// True if the mount point nearest to the receiver is used. Its name would reveal the place.
  private var isNearest: Bool {
    guard case .ntrip(let ntrip) = source.origin else { return false }
    return ntrip.mountPoint == .nearest
  }

  // MARK: Sources

  /// - Parameter count: The number of received messages.
  /// - Returns: Why the connection has ended.
  private func connect(_ count: inout Int) -> CorrectionFault {
    do throws(CorrectionFault) {
      consumer.report(.connecting("\(source)"))
      switch source.origin {
      case .file: return .closed
      case .tcp(let host, let port):
        let stream = try NetworkStream(host: host, port: port) { consumer.isStopped }
        return try follow(stream, "\(source)", nil, &count)
      case .serial(let path, let baud):
        return try follow(SerialStream(path: path, baud: baud), "\(source)", nil, &count)
      case .ntrip(let ntrip): return try follow(ntrip, &count)
      }
    } catch {
      return error
    }
  }

  private func follow(
    _ ntrip: NTRIPSource, _ count: inout Int
  ) throws(CorrectionFault) -> CorrectionFault {
    var place = ntrip
    let name = try mountPoint(of: ntrip)
    place.mountPoint = .named(name)
    let sentence = ntrip.positionIntervalSeconds == nil ? nil : position
    let stream = try NTRIPConnection.open(
      ntrip, mountPoint: name, credentials: try ntrip.credentials, position: sentence
    ) { consumer.isStopped }
    return try follow(stream, "\(place)", ntrip, &count)
  }

  /// The name of the stream: the configured one, or the nearest.
  private func mountPoint(of ntrip: NTRIPSource) throws(CorrectionFault) -> String {
    if case .named(let name) = ntrip.mountPoint { return name }
    while true {
      if consumer.isStopped { throw .stopped }
      if let place = consumer.newestFix?.position {
        let table = try SourceTable.fetch(ntrip) { consumer.isStopped }
        guard let stream = table.nearest(to: place) else { throw .noneNear }
        return stream.mountPoint
      }
      consumer.report(.connecting("\(source), once the receiver has a position"))
      consumer.waitForStop(atMost: CorrectionLimits.positionWait)
    }
  }

  /// GGA of the newest fix; nil where it is too old.
  private var position: [UInt8]? {
    guard let fix = consumer.newestFix,
      MonotonicClock.now.seconds(since: fix.timestamp) < CorrectionLimits.oldestFix
    else { return nil }
    return PositionSentence.bytes(of: fix)
  }

  // MARK: Messages

  /// Forwards messages until the connection ends, or until the session is stopped.
  private func follow(
    _ stream: some CorrectionStream, _ place: String, _ ntrip: NTRIPSource?, _ count: inout Int
  ) throws(CorrectionFault) -> CorrectionFault {
    var reader = RTCM3Reader()
    var body: [UInt8] = []
    let start = MonotonicClock.now
    var (newestByte, newestMessage) = (start, start)
    var nextPosition = start
    let isFirst = count == 0
    consumer.report(.connected(place))
    while !consumer.isStopped {
      let now = MonotonicClock.now
      if let interval = ntrip?.positionIntervalSeconds, now >= nextPosition, let position {
        try stream.send(position)
        nextPosition = now.advanced(bySeconds: interval)
      }
      try stream.read(into: &body, until: now.advanced(bySeconds: CorrectionLimits.step))
      let before = count
      body.withUnsafeBytes { bytes in
        reader.push(bytes) { type, frame in
          consumer.receive(type: type, frame: Array(frame))
          count += 1
        }
      }
      let arrival = MonotonicClock.now
      if !body.isEmpty { newestByte = arrival }
      if count > before {
        newestMessage = arrival
        if before == 0, isFirst { consumer.report(.receiving(place)) }
      }
      guard arrival.seconds(since: newestMessage) > source.timeoutSeconds else { continue }
      guard arrival.seconds(since: newestByte) > source.timeoutSeconds else {
        throw .noMessages(seconds: source.timeoutSeconds)
      }
      throw .stalled(
        seconds: source.timeoutSeconds,
        sendsPosition: ntrip.map { $0.positionIntervalSeconds != nil })
    }
    return .stopped
  }
}

/// The delays before the next attempts of a session.
package struct CorrectionDelays {
  /// Delays after a lost connection; a random share keeps the clients of a caster from reconnecting
  /// at the same time.
  private var usual: RetryDelay
  /// Delays after a refusal that a person must resolve: casters block clients that repeat the
  /// request at once.
  private var refusals: RetryDelay

  /// A connection that was shorter does not begin the delays again, seconds.
  fileprivate let leastDuration: Double

  /// Makes delays, by default from 1 to 60 s, and from 30 s to 5 min after a refusal.
  package init(
    usual: RetryDelay = RetryDelay(first: 1, longest: 60, spread: 0.5),
    refusals: RetryDelay = RetryDelay(first: 30, longest: 300, spread: 0.5),
    leastDuration: Double = 60
  ) {
    (self.usual, self.refusals, self.leastDuration) = (usual, refusals, leastDuration)
  }

  mutating func reset() {
    usual.reset()
    refusals.reset()
  }

  /// The delay after a fault, seconds.
  mutating func next(after fault: CorrectionFault) -> Double {
    fault.needsPerson ? refusals.next() : usual.next()
  }
}

/// The times of a session.
private enum CorrectionLimits {
  /// Interval between checks for a stop, seconds.
  static let step = 0.1
  /// An older fix is not sent, seconds: as long as the pipeline uses one.
  static let oldestFix = 10.0
  /// Interval between checks for a position, seconds.
  static let positionWait = 0.5
}
