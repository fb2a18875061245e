internal import Engine
internal import ServiceClient

/// What a program has of the daemon, where one serves this machine.
enum DaemonOpening {
  /// The value of `LODESTAR_SOURCE` that insists on the daemon.
  static let choice = "daemon"
  private static let fault = Locked<DaemonError?>(nil)

  /// Why a daemon that is there could not be had at the last attempt; nil for none.
  static var lastFault: DaemonError? { fault.withLock { $0 } }

  /// Connects, unless the environment asks for another source or nobody answers.
  /// - Returns: nil where the program has to open a source itself.
  static func connect(environment: [String: String]) -> DaemonClient? {
    let wanted = environment["LODESTAR_SOURCE"] ?? ""
    guard wanted.isEmpty || wanted == choice else { return nil }
    do throws(DaemonError) {
      let client = try DaemonClient(
        application: ApplicationIdentity.identifier(environment: environment),
        environment: environment)
      fault.withLock { $0 = nil }
      return client
    } catch {
      switch error {
      case .noSocket, .notRunning: fault.withLock { $0 = nil }
      case .noAccess, .noAnswer, .refused, .gone, .socket:
        // A daemon is there and has the sensors: worth a word before the board turns out to be busy.
        let isNew = fault.withLock { fault in
          defer { fault = error }
          return fault != error
        }
        if isNew { FileHandle.standardError.write(Data("CoreLocation: \(error)\n".utf8)) }
      }
      return nil
    }
  }
}

extension SourceOpening {
  /// The daemon's estimates.
  init(_ client: DaemonClient) {
    let publisher = client.publisher
    self.init(isLive: publisher.isLive) { () throws(SourceError) in publisher }
    isReduced = true
    known = { client.knownFix }
    observe = { body in client.observeSource { _ in body() } }
  }
}

/// The daemon keeps fixes for the program while it is stopped.
struct DaemonActivity: ActivityLease {
  let client: DaemonClient

  func holdActivity() -> Observation {
    let lease = client.takeLease()
    // Released with the closure that holds it.
    let held = Locked<DaemonLease?>(lease)
    return Observation { held.withLock { $0 = nil } }
  }
}
