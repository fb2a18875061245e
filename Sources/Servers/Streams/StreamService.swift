import HostProtocol
import LinuxIO
import Quantities
import ReceiverProtocols

/// A protocol that programs read at a TCP port: one session for each connection.
protocol StreamService: Sendable {
  /// The name in messages, such as `gpsd`.
  var name: String { get }
  /// The last part of the application's name in the policy, `org.lodestar.NAME`, and of its
  /// thread's.
  var application: String { get }
  /// The option and key of its port.
  var option: String { get }
  /// The limits of its connections.
  var limits: StreamLimits { get }
  /// Whether its sessions receive the updates of the host.
  var readsHost: Bool { get }
  /// What is missing while another program has the port, for the warning.
  var effectOfTakenPort: String { get }
  /// Whether a port that cannot be used is tried again while the server runs.
  var awaitsPort: Bool { get }
  /// What is announced of a port with the accuracy of the service.
  func announcements(
    of port: Int, _ reach: ListeningReach, accuracy: GrantedAccuracy
  ) -> [Announcement]
  /// A session of a new connection.
  func session(_ client: StreamClient) -> any StreamSession
  /// The only output of a connection whose user the policy does not admit.
  func refusal(_ reason: String) -> [UInt8]
}

extension StreamService {
  var limits: StreamLimits { StreamLimits() }
  var readsHost: Bool { true }
  var effectOfTakenPort: String { "its clients do not get this daemon's data" }
  /// False: the port of a gpsd daemon that is restarted is not taken from it.
  var awaitsPort: Bool { false }
  func refusal(_ reason: String) -> [UInt8] { [] }
  func announcements(
    of port: Int, _ reach: ListeningReach, accuracy: GrantedAccuracy
  ) -> [Announcement] { [] }
}

/// The limits of a service's connections.
struct StreamLimits: Sendable {
  /// Limit of the connections, without those that have a limit of their own.
  var connections = 256
  /// Limit of the bytes that are read from one client in a turn.
  var read = 512
}

/// One client of a server, for its session.
package struct StreamClient: Sendable {
  /// The number of the connection, which no later one has.
  package let number: Int
  /// The client's address; empty for a Unix socket.
  package let host: String
  /// Makes the server's thread call `advance` of the session; callable on any thread.
  package let wake: @Sendable () -> Void

  package init(number: Int, host: String, wake: @escaping @Sendable () -> Void) {
    (self.number, self.host, self.wake) = (number, host, wake)
  }
}

/// Whether a connection counts in the limit of connections.
package enum StreamStanding: Sendable {
  /// It counts, and may be closed for a new one.
  case replaceable
  /// It counts, and stays.
  case lasting
  /// It has a limit of its own.
  case separate
}

/// The state of one connection of a `StreamService`. Only the server's thread uses it.
protocol StreamSession {
  /// What the session needs of the host.
  var needs: HostNeeds { get }
  /// Whether the connection counts in the limit of connections.
  var standing: StreamStanding { get }
  /// False while nothing is read from the client.
  var isReading: Bool { get }
  /// Whether received bytes wait until output is written: `advance` is called then.
  var isStalled: Bool { get }
  /// The first output.
  mutating func begin() -> [UInt8]
  /// Handles received bytes.
  /// - Throws: `StreamRefusal`, after whose output the connection is closed.
  mutating func receive(
    _ bytes: ArraySlice<UInt8>, _ state: StreamState
  ) throws(StreamRefusal) -> [UInt8]
  /// The output for an update of the host.
  mutating func output(for update: StreamUpdate) -> [UInt8]
  /// The output that other threads have prepared, or that is due. Called after `StreamClient.wake`,
  /// and each second.
  mutating func advance(_ traffic: StreamTraffic) throws(StreamRefusal) -> [UInt8]
  /// Why the connection is closed at once; nil while it goes on.
  func end(_ traffic: StreamTraffic) -> StreamEnd?
  /// The last output at the end of the server.
  func shutdown() -> [UInt8]
  /// Called once the connection is closed.
  func closed()
}

extension StreamSession {
  /// Limit of the waiting output, bytes: some ten seconds of gpsd's reports.
  static var mostWaiting: Int { 64 * 1024 }

  var needs: HostNeeds { [] }
  var standing: StreamStanding { needs.isEmpty ? .replaceable : .lasting }
  var isReading: Bool { true }
  var isStalled: Bool { false }
  mutating func begin() -> [UInt8] { [] }
  mutating func output(for update: StreamUpdate) -> [UInt8] { [] }
  mutating func advance(_ traffic: StreamTraffic) throws(StreamRefusal) -> [UInt8] { [] }
  func end(_ traffic: StreamTraffic) -> StreamEnd? {
    traffic.waitingBytes > Self.mostWaiting ? .disconnected("it does not read") : nil
  }
  func shutdown() -> [UInt8] { [] }
  func closed() {}
}

/// What the host serves at the time of a request.
package struct StreamState {
  var source: SourceDescription
  /// The newest estimate; nil while no session needs estimates.
  var latest: Estimate?
  /// The receiver's newest satellites; nil while no session needs its output.
  var sky: SkyReport?
  /// The time of the request.
  var now: Timestamp

  package init(
    source: SourceDescription, latest: Estimate?, sky: SkyReport?, now: Timestamp
  ) {
    (self.source, self.latest, self.sky, self.now) = (source, latest, sky, now)
  }
}

/// What a connection has transferred, at an instant.
package struct StreamTraffic: Sendable {
  package var now: Timestamp
  /// Output that the kernel has not accepted yet, bytes.
  package var waitingBytes: Int
  /// Time in which the kernel has accepted none of it, seconds.
  package var unreadSeconds: Double
  /// Time without data in either direction, seconds.
  package var idleSeconds: Double

  package init(
    now: Timestamp, waitingBytes: Int = 0, unreadSeconds: Double = 0, idleSeconds: Double = 0
  ) {
    (self.now, self.waitingBytes) = (now, waitingBytes)
    (self.unreadSeconds, self.idleSeconds) = (unreadSeconds, idleSeconds)
  }
}

/// The end of a connection by the server.
package struct StreamEnd: Sendable, Equatable {
  /// What the client has done, for the log; nil where nothing is wrong.
  package var note: String?

  package init(note: String?) { self.note = note }

  static func disconnected(_ reason: String) -> StreamEnd {
    StreamEnd(note: "a client was disconnected: \(reason)")
  }
}

/// The end of a connection by the server after a last output.
package struct StreamRefusal: Error, Equatable {
  /// The last output.
  package var output: [UInt8]
  package var end: StreamEnd

  init(output: [UInt8], end: StreamEnd) { (self.output, self.end) = (output, end) }
  init(output: [UInt8], reason: String) { self.init(output: output, end: .disconnected(reason)) }
}

/// An estimate or samples of the host, with the texts that sessions share: each of them is made
/// once for all connections. Only the server's thread uses it.
package final class StreamUpdate {
  let content: HostUpdate
  let source: SourceDescription
  /// The receiver's newest satellites; nil where it has reported none lately.
  let sky: SkyReport?
  /// Whether an estimate's first place is awaited: its heading counts, but it is no report of no
  /// fix.
  var awaitsPlace = false
  private var texts: [String: [UInt8]] = [:]

  package init(_ content: HostUpdate, source: SourceDescription, sky: SkyReport?) {
    (self.content, self.source, self.sky) = (content, source, sky)
  }

  /// A text of this update; `make` is called at most once for each key.
  func text(_ key: String, _ make: () -> [UInt8]) -> [UInt8] {
    if let known = texts[key] { return known }
    let text = make()
    texts[key] = text
    return text
  }
}
