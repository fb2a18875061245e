import Formats
import FoundationEssentials
import LinuxIO
import LocationHost
import Quantities

/// Why a position was not accepted.
struct TrackerFault: Error {
  /// One line: the reason and the remedy.
  let reason: String
  /// The pause that the server asks for, seconds.
  var pause = 0.0
}

/// The way to a server of trackers; used from one thread.
protocol TrackerLink: AnyObject {
  /// Connects, where a connection is kept and there is none.
  func connect() throws(TrackerFault)
  /// Sends a position, the newest one if no other waits, and returns when the server has accepted
  /// it.
  func deliver(_ payload: [UInt8], isNewest: Bool) throws(TrackerFault)
  /// Waits for a wake-up or some seconds.
  func wait(atMost seconds: Double) throws(TrackerFault)
  /// Ends in order.
  func end()
}

/// Seconds in which a server accepts a position or a connection.
private let answerTimeout = 20.0

/// POST requests on a connection that is used again.
final class HTTPTrackerLink: TrackerLink {
  /// The answer's content, of which nothing is used: OwnTracks' servers send those of friends.
  private static let sizeLimit = 64 << 10
  /// The longest pause that a server may ask for, seconds.
  private static let longestPause = 3600.0

  private let url: String
  private let settings: TrackerSettings
  private let prefix: String
  private let headers: [String]
  private let library: CurlLibrary
  private let wakener: Wakener
  private var exchange: HTTPExchange?

  init(
    _ url: String, _ settings: TrackerSettings, prefix: String, headers: [String],
    _ library: CurlLibrary, _ wakener: Wakener
  ) {
    (self.url, self.settings, self.prefix, self.headers) = (url, settings, prefix, headers)
    (self.library, self.wakener) = (library, wakener)
  }

  func connect() {}
  func end() { exchange = nil }
  func wait(atMost seconds: Double) { wakener.wait(atMost: seconds) }

  func deliver(_ payload: [UInt8], isNewest: Bool) throws(TrackerFault) {
    let answer: HTTPExchange.Answer
    do throws(HTTPExchange.Fault) {
      if exchange == nil { exchange = try make() }
      guard let exchange else { return }
      answer = try exchange.post(
        payload, to: url, seconds: answerTimeout, sizeLimit: Self.sizeLimit)
    } catch {
      switch error {
      // It was accepted; what the server has to say is of no use here.
      case .tooLarge(status: 200..<300): return
      case .tooLarge: throw TrackerFault(reason: "its answer is too large")
      case .noMemory: throw TrackerFault(reason: "not enough memory")
      case .timedOut:
        throw TrackerFault(reason: "no answer within \(Int(bounded: answerTimeout)) s")
      case .notHTTP(let text): throw TrackerFault(reason: "it is not HTTP: \(text)")
      case .failed(let text): throw TrackerFault(reason: text)
      }
    }
    guard !(200..<300).contains(answer.status) else { return }
    // A changed password is read for the next attempt.
    exchange = nil
    let remedy =
      switch answer.status {
      case 401, 403: "; correct \(prefix)-username and \(prefix)-password-file"
      case 300..<400: "; write the address to which it redirects in \(prefix)-url"
      case 400, 404:
        "; the server does not know the path of \(prefix)-url or this device: create it there"
      default: ""
      }
    throw TrackerFault(
      reason: "it answers with status \(answer.status)\(remedy)",
      pause: min(answer.retryAfter.flatMap(Double.init) ?? 0, Self.longestPause))
  }

  private func make() throws(HTTPExchange.Fault) -> HTTPExchange {
    var headers = headers + ["Accept:", "Expect:"]
    if let username = settings.username {
      let password: String
      do throws(MQTTFault) {
        password = try settings.broker(nil).password() ?? ""
      } catch { throw .failed(error.text(settings, prefix)) }
      let login = Data("\(username):\(password)".utf8).base64EncodedString()
      headers.append("Authorization: Basic \(login)")
    }
    return try HTTPExchange(
      library, userAgent: "lodestar/\(Version.text)", headers: headers,
      authorities: settings.caFile)
  }
}

/// A connection to a broker, with the will that OwnTracks' programs know.
final class MQTTTrackerLink: TrackerLink {
  private let broker: MQTTBroker
  private let settings: TrackerSettings
  private let topic: String
  private let client: String
  private let library: MosquittoLibrary
  private let wakener: Wakener
  private let isOver: @Sendable () -> Bool
  /// How long the end waits for an answer, seconds.
  private static let lastWait = 0.3
  private var connection: MosquittoConnection?

  init(
    _ broker: MQTTBroker, _ settings: TrackerSettings, topic: String, client: String,
    _ library: MosquittoLibrary, _ wakener: Wakener, _ isOver: @escaping @Sendable () -> Bool
  ) {
    self.isOver = isOver
    (self.broker, self.settings, self.topic, self.client) = (broker, settings, topic, client)
    (self.library, self.wakener) = (library, wakener)
  }

  func connect() throws(TrackerFault) {
    guard connection == nil else { return }
    try reporting { () throws(MQTTFault) in
      guard let new = MosquittoConnection(library, identifier: client) else {
        throw .failed("not enough memory")
      }
      let password = try settings.broker(broker).password()
      try new.connect(
        to: broker, settings.username.map { ($0, password) },
        MosquittoConnection.Certificates(ca: settings.caFile),
        will: MQTTMessage(
          topic: topic, payload: TrackerPosition.ownTracksWill(at: SystemClock.reading.utc),
          isRetained: false))
      try turn(new) { connection throws(MQTTFault) in try connection.isAccepted() }
      connection = new
    }
  }

  func deliver(_ payload: [UInt8], isNewest: Bool) throws(TrackerFault) {
    try reporting { () throws(MQTTFault) in
      guard let connection else { throw .lost(wasAccepted: true) }
      // A new subscriber receives the retained one: never one of the past.
      let number = try connection.publish(
        MQTTMessage(topic: topic, payload: payload, isRetained: isNewest))
      try turn(connection) { connection in
        while let acknowledged = connection.nextAcknowledged() {
          if acknowledged == number { return true }
        }
        return false
      }
    }
  }

  func wait(atMost seconds: Double) throws(TrackerFault) {
    try reporting { () throws(MQTTFault) in
      try connection?.turn(wakener, atMost: seconds)
    }
  }

  func end() {
    do throws(MQTTFault) {
      try connection?.disconnect()
    } catch { _ = error }
    connection = nil
  }

  private func turn(
    _ connection: MosquittoConnection,
    _ isDone: (MosquittoConnection) throws(MQTTFault) -> Bool
  ) throws(MQTTFault) {
    var deadline = MonotonicClock.now.advanced(bySeconds: answerTimeout)
    var isEnding = false
    while try !isDone(connection) {
      if !isEnding, isOver() {
        // An answer that is on its way is still awaited.
        isEnding = true
        deadline = min(deadline, MonotonicClock.now.advanced(bySeconds: Self.lastWait))
      }
      let left = deadline.seconds(since: MonotonicClock.now)
      guard left > 0 else {
        guard isEnding else { throw .timedOut(seconds: answerTimeout) }
        // A broker that gets no goodbye publishes the will.
        try connection.disconnect()
        throw .lost(wasAccepted: false)
      }
      try connection.turn(wakener, atMost: left)
    }
  }

  private func reporting(_ body: () throws(MQTTFault) -> Void) throws(TrackerFault) {
    do throws(MQTTFault) {
      try body()
    } catch {
      connection = nil
      throw TrackerFault(reason: error.text(settings, "owntracks"))
    }
  }
}

extension TrackerSettings {
  /// The settings as those of a broker, for its files and messages.
  fileprivate func broker(_ broker: MQTTBroker?) -> MQTTSettings {
    var mqtt = MQTTSettings()
    (mqtt.broker, mqtt.username, mqtt.passwordFile, mqtt.caFile) =
      (broker, username, passwordFile, caFile)
    return mqtt
  }

  /// Checks that the configured files can be read, and that the password is not readable by others.
  func checkFiles(_ prefix: String) throws(TrackerFault) {
    do throws(MQTTFault) {
      try broker(nil).checkFiles()
    } catch { throw TrackerFault(reason: error.text(self, prefix)) }
  }
}

extension MQTTFault {
  /// The fault and the remedy with the keys of a tracker.
  fileprivate func text(_ settings: TrackerSettings, _ prefix: String) -> String {
    let mqtt = settings.broker(nil)
    return reason(mqtt, mqtt.names(host: "", machine: ""))
      .replacing("mqtt-broker", with: "\(prefix)-url")
      .replacing("mqtt-", with: "\(prefix)-")
  }
}
