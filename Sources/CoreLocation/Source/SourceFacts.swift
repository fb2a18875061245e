internal import HostClient
internal import HostProtocol

/// The capabilities of a source.
package struct SourceFacts: Equatable, Sendable {
  /// The source provides headings.
  package var hasHeading: Bool
  /// The source provides locations.
  package var hasReceiver: Bool
}

extension SourceFacts {
  init(_ source: SourceDescription) {
    self.init(hasHeading: source.hasHeading, hasReceiver: source.hasReceiver)
  }
}

/// The reason why no source can be opened.
package struct SourceFault: Error, Equatable, Sendable {
  /// The cause and the remedy, for people.
  package var text: String
  /// True where a later attempt may succeed.
  package var mayPass: Bool

  /// - Parameters:
  ///   - text: The message of the host in this process.
  ///   - mayPass: Whether a later attempt may succeed.
  ///   - daemon: Why the running daemon cannot be used; nil without a daemon.
  init(_ text: String, mayPass: Bool, _ daemon: HostError?) {
    self.text = daemon.map { "\($0). Besides: \(text)" } ?? text
    self.mayPass = mayPass
  }

  /// The error that a program receives when it starts a service without a source.
  var denial: CLError {
    CLError(
      .denied,
      userInfo: [
        NSLocalizedDescriptionKey: text, NSUnderlyingErrorKey: HostFault(.noSensor, text),
      ])
  }
}
