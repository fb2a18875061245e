import Configuration
import LinuxIO
import Quantities
import ReceiverProtocols

/// The address of a program that provides positions or headings, a gpsd daemon or a Signal K server,
/// or of an NMEA 2000 bus.
package protocol PeerAddress: Sendable {
  /// The complete text of the address.
  var text: String { get }
  /// Connects to it.
  func connect(
    until deadline: Timestamp, isStopped: () -> Bool
  ) throws(NetworkError) -> StreamSocket
}

/// The address of a program at a TCP port.
package protocol ServerAddress: PeerAddress {
  /// A host name, an IPv4 or an IPv6 address.
  var host: String { get }
  /// The program's port.
  var port: UInt16 { get }
}

extension ServerAddress {
  package func connect(
    until deadline: Timestamp, isStopped: () -> Bool
  ) throws(NetworkError) -> StreamSocket {
    try StreamSocket(host: host, port: Int(port), until: deadline, isStopped: isStopped)
  }

  /// What is wrong with a connection and what to do, where that is the same for each program.
  func remedy(_ error: NetworkError) -> String {
    switch error.kind {
    case .hostNotFound(let reason):
      "no such host '\(host)' (\(reason)); check the name, or give its IP address"
    case .timedOut: "no answer; check that the host is up and that no firewall blocks port \(port)"
    default: error.reason
    }
  }
}

extension GPSDAddress: ServerAddress {}
extension SignalKAddress: ServerAddress {}

extension CANAddress: PeerAddress {
  package func connect(
    until deadline: Timestamp, isStopped: () -> Bool
  ) throws(NetworkError) -> StreamSocket {
    try StreamSocket(can: interface, groups: NMEA2000Decoder.messages.map(\.rawValue))
  }
}

/// The protocol of one connection to such a program: decodes bytes into rows and supplies the
/// requests to send. It has no socket and no clock.
package protocol PeerSession {
  associatedtype Address: PeerAddress
  associatedtype Fault: CustomStringConvertible

  /// Makes a session.
  /// - Parameters:
  ///   - address: The program and its device or source.
  ///   - startedAt: When the connection was made.
  ///   - headings: How headings are used.
  ///   - admit: Called with each report; returns what becomes a row of it, nil for nothing.
  init(
    address: Address, startedAt: Timestamp, headings: LineHeadings,
    admit: @escaping (ReceiverReport) -> ReceiverReport?)

  /// As many bytes as most lines have, so that they are read whole.
  static var usualRead: Int { get }
  /// Why a connection failed or was closed.
  static func fault(_ address: Address, _ error: NetworkError) -> Fault

  /// True after the first accepted line.
  var hasAnswered: Bool { get }
  /// True after the first epoch or heading.
  var hasReported: Bool { get }
  /// The program's devices or sources that have sent fixes.
  var positionSources: [PositionSource] { get }
  /// The reports of all of them so far: without a new one `positionSources` are the same.
  var reportCount: Int { get }
  /// The program and its device or source that send the fixes; nil before the first.
  var source: String? { get }
  /// Why the program can never serve this connection; nil while it may.
  var refusal: Fault? { get }

  /// Decodes received bytes.
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, at now: Timestamp, _ deliver: (SensorSamples) -> Void)
  /// The bytes to send now; nil for none.
  mutating func output(at now: Timestamp) -> [UInt8]?
  /// Why no reports arrive; nil while they do.
  func fault(at now: Timestamp) -> Fault?
  /// True when the program has not answered a request either.
  func isDead(at now: Timestamp) -> Bool
  /// The notices for the user since the last call.
  mutating func removeNotices() -> [String]
}
