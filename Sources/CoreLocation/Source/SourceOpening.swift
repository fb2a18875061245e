package import Engine
internal import MonitoringFeeds
internal import WiFiLocation

/// How a program gets at estimates, and whether they are the world's.
package struct SourceOpening: Sendable {
  /// True where a sensor measures now; false for a simulation and for a recording.
  package var isLive: Bool
  /// True where what is opened is the board that is attached, as far as nothing else was asked for.
  package var isAttachedBoard = false
  /// The source that a program named; nil where what is opened says what it is.
  package var source: CLLocationSource?
  /// True where a program that may know the area only is told nothing else by the source already.
  package var isReduced = false
  /// The last fix that the source knows of, also of earlier runs.
  package var known: @Sendable () -> LocationValues? = { nil }
  /// Calls the closure whenever what stands behind the estimates has changed.
  package var observe: @Sendable (@escaping @Sendable () -> Void) -> Observation? = { _ in nil }
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
    // A daemon that is insisted on and did not answer: the board's own reason is told instead.
    let value = environment["LODESTAR_SOURCE"].flatMap { $0 == DaemonOpening.choice ? nil : $0 }
    let isLive = value == nil || value == "" || value?.hasPrefix("gpsd://") == true
    let isAttachedBoard = value == nil || value == ""
    let late = LateDaemon(environment: environment)
    self.init(isLive: isLive) { () throws(SourceError) in
      if isAttachedBoard, let publisher = late.publisher { return publisher }
      var configuration = PipelineConfiguration()
      // Apple's heading calibrates itself; so does this one wherever a sensor measures.
      configuration.onlineCalibration = isLive
      let locator = isLive ? WiFiLocator(environment: environment) : nil
      do throws(SourceError) {
        let player = try Self.play(value, configuration)
        guard let locator, !player.hasReceiver else { return player }
        return CoarseFixes(player, locator: locator)
      } catch {
        if isAttachedBoard, error.mayPass, let publisher = late.connect() { return publisher }
        guard let locator else { throw error }
        // No sensor at all: Wi-Fi alone still tells about where the machine is.
        guard case .noSensors = error else { throw error }
        return CoarseFixes(nil, locator: locator)
      }
    }
    self.isAttachedBoard = isAttachedBoard
    known = { late.lastFix }
    observe = { body in late.observe(body) }
  }

  /// What is wrong with `LODESTAR_SOURCE` whatever is attached; nil where nothing is.
  static func fault(of environment: [String: String]) -> SourceError? {
    let value = environment["LODESTAR_SOURCE"]
    do throws(SourceError) {
      _ = try SourceChoice(environment: value == DaemonOpening.choice ? nil : value)
      return nil
    } catch {
      return error
    }
  }

  private static func play(
    _ choice: String?, _ configuration: PipelineConfiguration
  ) throws(SourceError) -> any EstimatePublisher {
    let player = try SourceChoice(environment: choice).open(configuration)
    player.start()
    return player
  }
}

extension SourceOpening {
  /// Where the positions of what was opened come from.
  func sources(of publisher: any EstimatePublisher) -> [CLLocationSource] {
    if let source { return [source] }
    return publisher.positionSource.map { [CLLocationSource($0)] } ?? []
  }
}

extension SourceError {
  /// True where it may be otherwise later: something is plugged in, a daemon starts.
  var mayPass: Bool {
    switch self {
    case .noSensors, .bus, .chips, .gpsd: true
    case .unknownChoice, .recording, .simulation: false
    }
  }

  /// What is wrong and what to do about it, for people.
  var remedy: String {
    switch self {
    case .noSensors:
      (DaemonOpening.lastFault.map { "\($0). Besides, no" } ?? "No")
        + " sensor that can be read was found. Set LODESTAR_SOURCE=simulate to try the program without "
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
