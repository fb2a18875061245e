import Configuration
import FoundationEssentials
import HostClient
import HostProtocol
import LinuxIO

extension HostClient {
  /// The daemon that serves this user; access is requested where the policy has not decided yet.
  static func granted() throws(HostError) -> HostClient {
    let client = try HostClient(application: "lodestar")
    if client.access.current.authorization == .notDetermined {
      client.access.request(.whenInUse)
      for _ in 0..<100 where client.access.current.authorization == .notDetermined {
        MonotonicClock.sleep(seconds: 0.01)
      }
    }
    let access = client.access.current
    guard access.isEnabled, access.authorization.isGranted else {
      throw .refused(
        HostFault(
          .access,
          access.fault
            ?? "the policy has '\(access.authorization.rawValue)' for the application 'lodestar'"))
    }
    return client
  }

  /// The daemon that serves this user; nil where none runs, which is an error if `isRequired`.
  /// `remedy` is added to an error; `without` is what follows from the absence, for a notice where
  /// the user has named a socket.
  static func served(
    isRequired: Bool = false, remedy: String = "", without: String
  ) throws(Failure) -> HostClient? {
    do throws(HostError) {
      return try granted()
    } catch {
      switch error {
      case .noSocket where !isRequired, .notRunning where !isRequired:
        let named = ProcessInfo.processInfo.environment[SocketPath.variable] ?? ""
        // A notice only if the user has named a socket; "none" means no daemon.
        if named.hasPrefix("/") { StandardError.say("\(error); \(without)") }
        return nil
      default: throw .unavailable("\(error)\(remedy)")
      }
    }
  }

  /// The daemon, where one runs, for a calibration of its board.
  static func forCalibration() throws(Failure) -> HostClient? {
    try served(without: "calibrating without the daemon")
  }

  /// Ends with an error where a daemon reads one of the devices of a board, which would share its
  /// samples.
  static func checkOwner(of board: Board) throws(Failure) {
    guard let client = try forCalibration() else { return }
    defer { client.stop() }
    let source = client.source
    guard source.isLive else { return }
    let remedy =
      "leave out --board to calibrate through it, or stop it first: sudo systemctl stop lodestar"
    guard source.isOpen, let devices = source.devices else {
      throw .unavailable(
        "\(client.place): a daemon runs here and opens the sensors that it finds; \(remedy)")
    }
    guard let shared = board.devices.first(where: devices.contains) else { return }
    throw .unavailable("\(client.place): the daemon there reads \(shared); \(remedy)")
  }

  /// The daemon's board, open and with a magnetometer at full accuracy, for samples.
  func checkSamples() throws(Failure) {
    let source = self.source
    guard source.isOpen else {
      throw .unavailable(
        "\(place): the daemon there has no sensor: \(source.fault ?? "no source is open")")
    }
    guard source.hasMagnetometer else {
      throw .board(
        "\(place): cannot calibrate: the daemon's board has no magnetometer; name one under 'sensors' in its file"
      )
    }
    guard access.current.accuracy == .full else {
      throw .unavailable(
        "\(place): cannot calibrate: the policy gives the application 'lodestar' reduced accuracy, which has no "
          + "magnetic field; ask the administrator")
    }
  }
}
