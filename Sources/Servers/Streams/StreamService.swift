import HostProtocol
import LinuxIO
import Quantities
import ReceiverProtocols

/// A protocol that programs read at a TCP port: one session for each connection.
protocol StreamService: Sendable {
  /// The name in messages, such as `gpsd`.
  var name: String { get }
  /// The last part of the application's name in the policy, `org.lodestar.NAME`, and of its thread's.
  var application: String { get }
  /// The option and key of its port.
  var option: String { get }
  /// What is announced of a port with the accuracy of the service; nil for nothing.
  func announcement(
    of port: Int, _ reach: ListeningReach, accuracy: GrantedAccuracy
  ) -> Announcement?
  /// A session of a new connection.
  func session() -> any StreamSession
  /// The only output of a connection whose user the policy does not admit.
  func refusal(_ reason: String) -> [UInt8]
}

extension StreamService {
  func refusal(_ reason: String) -> [UInt8] { [] }

  func announcement(
    of port: Int, _ reach: ListeningReach, accuracy: GrantedAccuracy
  ) -> Announcement? { nil }
}

/// The state of one connection of a `StreamService`. Only the server's thread uses it.
protocol StreamSession {
  /// What the session needs of the host.
  var needs: HostNeeds { get }
  /// The first output.
  mutating func begin() -> [UInt8]
  /// Handles received bytes.
  /// - Throws: `StreamRefusal`, after whose output the connection is closed.
  mutating func receive(
    _ bytes: ArraySlice<UInt8>, _ state: StreamState
  ) throws(StreamRefusal) -> [UInt8]
  /// The output for an update of the host.
  mutating func take(_ update: StreamUpdate) -> [UInt8]
}

/// What the host serves at the time of a request.
struct StreamState {
  var source: SourceDescription
  /// The newest estimate; nil while no session needs estimates.
  var latest: Estimate?
  /// The receiver's newest satellites; nil while no session needs its output.
  var sky: SkyReport?
}

/// The end of a connection by the server.
struct StreamRefusal: Error {
  /// The last output.
  var output: [UInt8]
  /// The reason, for the log.
  var reason: String
}

/// An estimate or samples of the host, with the texts that sessions share: each of them is made once for all
/// connections. Only the server's thread uses it.
final class StreamUpdate {
  let content: HostUpdate
  let source: SourceDescription
  /// The receiver's newest satellites; nil where it has reported none lately.
  let sky: SkyReport?
  /// Whether an estimate's first place is awaited: its heading counts, but it is no report of no fix.
  var awaitsPlace = false
  private var texts: [String: [UInt8]] = [:]

  init(_ content: HostUpdate, source: SourceDescription, sky: SkyReport?) {
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
