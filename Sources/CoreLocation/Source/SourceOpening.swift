package import Engine

/// How a program gets at estimates, and whether they are the world's.
package struct SourceOpening: Sendable {
  /// True where a sensor measures now; false for a simulation and for a recording.
  package var isLive: Bool
  /// Opens the source and starts it.
  package var open: @Sendable () throws(SourceError) -> any EstimatePublisher

  /// Makes an opening of its two parts.
  package init(
    isLive: Bool, open: @escaping @Sendable () throws(SourceError) -> any EstimatePublisher
  ) {
    self.isLive = isLive
    self.open = open
  }

  /// What the environment variable `LODESTAR_SOURCE` asks for.
  package init(environment: [String: String]) {
    let value = environment["LODESTAR_SOURCE"]
    self.init(isLive: value == nil || value == "") { () throws(SourceError) in
      try SourceChoice(environment: value).open()
    }
  }
}

extension SourceError {
  /// What is wrong and what to do about it, for people.
  var remedy: String {
    switch self {
    case .unknownChoice(let text):
      "LODESTAR_SOURCE is \"\(text)\": set it to simulate or replay:FILE, or unset it for the "
        + "attached board."
    case .noSensors(let searched):
      "No sensor was found"
        + (searched.isEmpty ? ". " : " (searched: \(searched.joined(separator: ", "))). ")
        + "Attach one, run \"lodestar doctor\" to see what is wrong with this machine, or set "
        + "LODESTAR_SOURCE=simulate to try the program without one."
    case .recording(let why):
      "The recording that LODESTAR_SOURCE names cannot be read: \(why)"
    }
  }

  /// What a program is told when a service starts without a source.
  var denial: CLError {
    CLError(
      .denied, userInfo: [NSLocalizedDescriptionKey: remedy, NSUnderlyingErrorKey: self])
  }
}
