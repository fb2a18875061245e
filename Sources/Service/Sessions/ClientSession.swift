import Foundation
import Quantities
import ServiceProtocol

/// One client, as the sessions' thread sees it.
struct ClientSession {
  /// Seconds within which a client has to say who it is.
  static let patience = 10.0
  /// Requests that may be on their way to a slow disk; until they are done nothing more is read.
  static let mostRequests = 256
  /// What the kernel may keep for a client that does not read, bytes: about half a second of headings, so that
  /// what it finds is new.
  static let kernelQueue: Int32 = 16 * 1024

  let number: Int
  let socket: UnixSocket
  let peer: UnixSocket.Peer
  let connected = DispatchTime.now().uptimeNanoseconds

  var hello: ClientHello?
  var key: ApplicationKey?
  var access = ServedAccess(authorization: .denied, accuracy: .reduced)
  var demand = EstimateDemand.none
  var wantsSamples = false
  var hasLease = false
  var hasBegunCalibration = false
  var requests = 0
  /// True once it is to be closed when what waits is written.
  var isClosing = false

  var input = LineBuffer(limit: LineLimit.request)
  var output = OutputQueue()
  private var sending: [UInt8] = []
  private var sent = 0
  private var lastHeading: Timestamp?

  init(number: Int, socket: UnixSocket, peer: UnixSocket.Peer) {
    (self.number, self.socket, self.peer) = (number, socket, peer)
    socket.kernelQueueIsShort()
  }

  /// Who it is, for people.
  var name: String {
    let program = hello.map { "\($0.client) (\($0.application))" } ?? "a client"
    return "\(program), pid \(peer.pid), uid \(peer.uid)"
  }

  var wantsRoom: Bool { sent < sending.count || !output.isEmpty }

  /// Appends a message that must not be lost.
  mutating func say(_ message: DaemonMessage) throws(OutputQueue.Overflow) {
    try output.put(message.line + [UInt8(ascii: "\n")])
  }

  // MARK: Estimates

  private var mayHaveEstimates: Bool {
    access.authorization.isGranted && access.isEnabled && !isClosing
  }

  /// Appends a fix as far as it is wanted.
  /// - Parameters:
  ///   - estimate: What holds it.
  ///   - line: Its line, for all clients.
  ///   - places: What applications of reduced accuracy are told.
  /// - Throws: Where more fixes wait than may.
  mutating func offer(
    fix estimate: Estimate, line: EncodedOnce, places: ReducedPlaces
  ) throws(OutputQueue.Overflow) {
    guard mayHaveEstimates, !demand.isEmpty else { return }
    if access.accuracy == .full {
      guard demand.fixes else { return offer(heading: estimate, line: line) }
      try output.put(fix: line.bytes(estimate), isLeased: hasLease)
    } else if demand.fixes, let key, let coarse = places.reduce(estimate, for: key) {
      try output.put(fix: EncodedOnce().bytes(coarse), isLeased: hasLease)
    } else {
      offer(heading: estimate, line: line)
    }
  }

  /// Appends a heading where one is wanted and due.
  mutating func offer(heading estimate: Estimate, line: EncodedOnce) {
    guard mayHaveEstimates, demand.headings, isDue(estimate.timestamp) else { return }
    lastHeading = estimate.timestamp
    if access.accuracy == .full {
      output.put(heading: line.bytes(estimate))
    } else {
      output.put(heading: EncodedOnce().bytes(ReducedAccuracy.withoutPlace(estimate)))
    }
  }

  /// True where samples are wanted, and may be had.
  var takesSamples: Bool { mayHaveEstimates && wantsSamples }

  /// Appends samples where they are wanted; of reduced accuracy without the pressure, which is the altitude.
  mutating func offer(samples: EncodedSamples) {
    guard takesSamples else { return }
    if access.accuracy == .full {
      output.put(samples: samples.whole)
    } else if let line = samples.withoutPressure {
      output.put(samples: line)
    }
  }

  private func isDue(_ instant: Timestamp) -> Bool {
    guard let interval = demand.headingInterval, let last = lastHeading, instant >= last else {
      return true
    }
    // Half a sample of slack, so that a rate that divides the board's is met.
    return instant.seconds(since: last) >= interval - 0.005
  }

  // MARK: The socket

  /// Writes what the kernel takes.
  /// - Returns: False where the client is gone.
  mutating func flush() throws(SocketFault) -> Bool {
    while true {
      if sent == sending.count {
        guard let line = output.take() else {
          (sending, sent) = ([], 0)
          return true
        }
        (sending, sent) = (line, 0)
      }
      let rest = sending[sent...]
      let result = rest.withUnsafeBytes { bytes -> Result<Int?, SocketFault> in
        do throws(SocketFault) {
          return .success(try socket.write(bytes))
        } catch {
          return .failure(error)
        }
      }
      guard let count = try result.get() else { return false }
      if count == 0 { return true }
      sent += count
    }
  }
}

extension UnixSocket {
  fileprivate func kernelQueueIsShort() { limitKernelQueue(to: ClientSession.kernelQueue) }
}

/// An estimate's line, which is written once for all clients.
final class EncodedOnce {
  private var line: [UInt8]?

  /// The line with its end.
  func bytes(_ estimate: Estimate) -> [UInt8] {
    if let line { return line }
    let new = DaemonMessage.estimate(estimate).line + [UInt8(ascii: "\n")]
    line = new
    return new
  }
}

/// An instant's line, which is written once for all clients of an accuracy.
final class EncodedSamples {
  private let samples: ServedSamples

  init(_ samples: ServedSamples) { self.samples = samples }

  /// The line with its end.
  private(set) lazy var whole = Self.line(samples)

  /// The same for who may not know the altitude; nil where nothing is left.
  private(set) lazy var withoutPressure: [UInt8]? = {
    guard samples.pressure != nil else { return whole }
    guard samples.inertial != nil || samples.field != nil else { return nil }
    var rest = samples
    rest.pressure = nil
    return Self.line(rest)
  }()

  private static func line(_ samples: ServedSamples) -> [UInt8] {
    DaemonMessage.samples(samples).line + [UInt8(ascii: "\n")]
  }
}
