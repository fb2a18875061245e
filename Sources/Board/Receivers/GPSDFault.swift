import Configuration
import LinuxIO

/// Why a gpsd daemon sends no fixes. The description is one line with the daemon's address and the
/// remedy.
public enum GPSDFault: Error, Equatable, Sendable {
  /// The connection failed or was closed.
  case connection(GPSDAddress, NetworkError)
  /// It is connected and has sent nothing for this many seconds.
  case silent(GPSDAddress, seconds: Int)
  /// It sends messages, but none of its receivers has sent a report for this many seconds.
  case noReports(GPSDAddress, seconds: Int, complaint: String?)
  /// It has no device.
  case noDevice(GPSDAddress)
  /// It has devices, but not the requested one.
  case otherDevices(GPSDAddress, [String])
}

extension GPSDFault: CustomStringConvertible {
  /// One line to display.
  public var description: String {
    switch self {
    case .connection(let address, let error):
      "\(address.text): \(Self.remedy(address, error))"
    case .silent(let address, let seconds):
      "\(address.text): no data for \(seconds) s on an open connection; is it gpsd that listens "
        + "there? see gpspipe -w \(Self.server(address)), systemctl status gpsd"
    case .noReports(let address, let seconds, let complaint):
      "\(address.text): gpsd answers, but \(address.device ?? "no receiver of it") "
        + (address.device == nil ? "has sent a report" : "has sent no report")
        + " for \(seconds) s; check the receiver's cable and power, see gpsmon"
        + (complaint.map { "; gpsd says: \($0)" } ?? "")
    case .noDevice(let address):
      "\(address.text): gpsd has no receiver; name it in DEVICES of /etc/default/gpsd, or for now: "
        + "sudo gpsdctl add /dev/ttyACM0"
    case .otherDevices(let address, let paths):
      "\(address.text): gpsd has no \(address.device ?? "such device"), it has "
        + "\(paths.joined(separator: ", ")); name one of these, or none for the best"
    }
  }

  private static func remedy(_ address: GPSDAddress, _ error: NetworkError) -> String {
    switch error.kind {
    case .refused where Loopback.contains(address.host):
      "connection refused: is gpsd running? systemctl status gpsd gpsd.socket, sudo systemctl start gpsd"
    case .refused:
      "connection refused: is gpsd running there (systemctl status gpsd) and open to other machines "
        + "(option -G, ListenStream of gpsd.socket)?"
    case .closed: "gpsd closed the connection; see systemctl status gpsd"
    case .hostNotFound, .timedOut, .unreachable, .addressInUse, .notPermitted, .stopped, .ownServer,
      .notEncrypted, .failed:
      address.remedy(error)
    }
  }

  private static func server(_ address: GPSDAddress) -> String {
    "\(address.host):\(address.port)"
  }
}
