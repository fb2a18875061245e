import Configuration
import LinuxIO

/// Why a Signal K server sends no positions or headings. The description is one line with the
/// server's address and the remedy.
public enum SignalKFault: Error, Equatable, Sendable {
  /// The connection failed or was closed.
  case connection(SignalKAddress, NetworkError)
  /// The server does not speak the protocol there, or refuses; with the reason.
  case refused(SignalKAddress, String)
  /// It is connected and has sent nothing for this many seconds.
  case silent(SignalKAddress, seconds: Int)
  /// It has sent no position or heading for this many seconds.
  case noReports(SignalKAddress, seconds: Int)
  /// It has sent values of vessels by name, but no greeting with its own.
  case ownVesselUnknown(SignalKAddress)
  /// It has no other values than those of this program, of the named source.
  case onlyOwn(SignalKAddress, String)
  /// It has sources, but not the requested one.
  case otherSources(SignalKAddress, [String])
}

extension SignalKFault: CustomStringConvertible {
  /// One line to display.
  public var description: String {
    switch self {
    case .connection(let address, let error): "\(address.text): \(Self.remedy(address, error))"
    case .refused(let address, let reason):
      "\(address.text): \(reason); check the port, and that the server allows reading without a "
        + "login (Security, Allow Readonly Access)"
    case .silent(let address, let seconds):
      "\(address.text): no data for \(seconds) s on an open connection; is it a Signal K server's "
        + (address.transport == .tcp ? "TCP stream (port 8375)?" : "WebSocket (port 3000)?")
    case .noReports(let address, let seconds):
      "\(address.text): the server answers, but has sent no position or heading for \(seconds) s; "
        + "look at its Data Browser and at the receiver"
    case .ownVesselUnknown(let address):
      "\(address.text): the server has not named its own vessel, so that no values are "
        + "used; connect to a Signal K server itself, whose first message names it"
    case .onlyOwn(let address, let source):
      "\(address.text): the server has only this program's own values (\(source)), which are not "
        + "used; connect a receiver or compass to it, or remove this entry from the board file"
    case .otherSources(let address, let names):
      "\(address.text): the server has no source \(address.source ?? ""), it has "
        + "\(names.joined(separator: ", ")); name one of these, or none for the best"
    }
  }

  private static func remedy(_ address: SignalKAddress, _ error: NetworkError) -> String {
    switch error.kind {
    case .refused:
      "connection refused: is the Signal K server running there"
        + (address.transport == .tcp
          ? ", with its TCP stream on? With security it needs Allow Readonly Access; "
            + "signalk-ws:// needs no stream"
          : "? systemctl status signalk")
    case .closed: "the Signal K server closed the connection; see its log"
    case .hostNotFound, .timedOut, .unreachable, .addressInUse, .notPermitted, .stopped, .ownServer,
      .notEncrypted, .failed:
      address.remedy(error)
    }
  }
}
