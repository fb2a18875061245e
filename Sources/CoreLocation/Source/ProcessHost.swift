internal import Board
package import LocationHost
internal import Pipeline
internal import Quantities

/// The location host within this process, for a program without a daemon.
package enum ProcessHost {
  /// The value of `LODESTAR_SOURCE` that requires the daemon.
  static let daemonChoice = "daemon"
  /// The variable that names the source of a program.
  static let sourceVariable = "LODESTAR_SOURCE"

  /// Makes the host of the source that the environment names.
  package static func make(environment: [String: String]) -> LocationHost {
    make(SourceOpening(environment: environment), environment: environment)
  }

  /// Makes a host over a source.
  /// - Parameters:
  ///   - opening: Opens the source of estimates.
  ///   - environment: Names the folders of policy and state.
  ///   - storesFixes: False for a source whose position is not that of this machine.
  /// - Returns: The host, not connected to any client.
  static func make(
    _ opening: SourceOpening, environment: [String: String], storesFixes: Bool = true
  ) -> LocationHost {
    let log = HostLog { priority, text in
      guard priority.rawValue <= HostLog.Priority.warning.rawValue else { return }
      ProgramMessages.say(text)
    }
    let folder = ProgramStateFolder.url(environment: environment)?.path
    var configuration = HostConfiguration(stateFolder: folder)
    configuration.isInProcess = true
    let access = AccessKeeper(
      stateFolder: folder, policyFolder: nil, environment: environment, log: log)
    let coarse = opening.withCoarseFixes(of: access.policy)
    let clock = MachineClock()
    // A separate source monitors in memory: the journal belongs to the program's source.
    let journals: any MonitoringJournals =
      (storesFixes ? folder : nil).map {
        StoredMonitoring(stateFolder: $0, isLive: opening.isLive, log: log)
      }
      ?? VolatileMonitoring()
    let parts = LocationHost.Parts(
      access: access, journals: journals, isLive: opening.isLive && storesFixes, log: log,
      source: { OnDemandSource(coarse, events: $0, clock: clock) })
    let host = LocationHost(configuration, parts)
    host.start()
    return host
  }

  /// The error in the value of `LODESTAR_SOURCE`, independent of the attached board; nil for a
  /// valid value.
  static func fault(of environment: [String: String]) -> SourceError? {
    do throws(SourceError) {
      _ = try SourceChoice(environment: choice(of: environment))
      return nil
    } catch {
      return error
    }
  }

  /// The source that the environment names; nil for the attached board.
  fileprivate static func choice(of environment: [String: String]) -> String? {
    environment[sourceVariable].flatMap { $0.isEmpty || $0 == daemonChoice ? nil : $0 }
  }
}

extension SourceOpening {
  /// The source that the environment variable `LODESTAR_SOURCE` names.
  package init(environment: [String: String]) {
    let value = ProcessHost.choice(of: environment)
    let isLive = value == nil || value?.hasPrefix("gpsd://") == true
    self.init(isLive: isLive) { () throws(SourceError) in
      var configuration = PipelineConfiguration()
      // As on Apple's platforms a live magnetometer is calibrated automatically.
      configuration.onlineCalibration = isLive
      return OpenedSource(try SourceChoice(environment: value).open(configuration))
    }
    hasRecordedTimes = value?.hasPrefix(SourceChoice.replayPrefix) != true
  }
}
