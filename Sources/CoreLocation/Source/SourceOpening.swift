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
    let isLive = value == nil || value == "" || value?.hasPrefix("gpsd://") == true
    self.init(isLive: isLive) { () throws(SourceError) in
      var configuration = PipelineConfiguration()
      // Apple's heading calibrates itself; so does this one wherever a sensor measures.
      configuration.onlineCalibration = isLive
      let player = try SourceChoice(environment: value).open(configuration)
      player.start()
      return player
    }
  }
}

extension SourceError {
  /// What is wrong and what to do about it, for people.
  var remedy: String {
    switch self {
    case .noSensors:
      "No sensor that can be read was found. Set LODESTAR_SOURCE=simulate to try the program without "
        + "one, or LODESTAR_SOURCE=replay:FILE to give it a recording."
    case .unknownChoice, .bus, .chips, .gpsd, .recording, .simulation: "\(self)"
    }
  }

  /// What a program is told when a service starts without a source.
  var denial: CLError {
    CLError(
      .denied, userInfo: [NSLocalizedDescriptionKey: remedy, NSUnderlyingErrorKey: self])
  }
}
