package import Monitoring
internal import MonitoringFeeds
internal import MonitoringStore
internal import Policy

/// Ways to get at a program's monitoring without a daemon.
package enum MonitoringOpening {
  /// Monitoring that ends with the process.
  @Sendable package static func inMemory() -> any MonitoringHost {
    desk(kept: nil, options: MonitoringDesk.Options())
  }

  /// Monitoring that is kept in `$XDG_STATE_HOME/corelocation/<application>`, apart for what is simulated.
  package static func kept(
    environment: [String: String]
  ) -> @Sendable () -> any MonitoringHost {
    guard let folder = StateFolder.url(environment: environment) else { return inMemory }
    // Events of a simulation or recording are no reason to believe that the board was there.
    let isLive = SourceOpening(environment: environment).isLive
    let name = ApplicationIdentity.identifier(environment: environment)
    let archive = MonitoringArchive(folder: folder.path)
    var options = MonitoringDesk.Options()
    options.configuration = MonitoringConfiguration(
      Policy.loadSafely(environment: environment).policy)
    return { [options] in
      desk(kept: (archive, isLive ? name : name + "-simulated"), options: options)
    }
  }

  private static func desk(
    kept place: (archive: MonitoringArchive, name: String)?, options: MonitoringDesk.Options
  ) -> any MonitoringHost {
    do throws(JournalError) {
      if let place { return try place.archive.open(place.name, options: options) }
    } catch {
      say("\(error); what is monitored ends with this program")
    }
    do throws(JournalError) {
      return try MonitoringDesk(journal: nil, options: options)
    } catch {
      // Only a journal can be at fault.
      say("\(error)")
      return NoMonitoring()
    }
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data("CoreLocation: \(text)\n".utf8))
  }
}

/// Monitors nothing.
private final class NoMonitoring: MonitoringHost {
  func registrations() -> MonitoringRegistrations { MonitoringRegistrations() }
  func perform(_ command: MonitoringCommand) {}
  func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {}
}
