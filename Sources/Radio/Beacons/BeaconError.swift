import LinuxIO

/// Why beacons cannot be received. The description is one line with the adapter and the remedy.
public struct BeaconError: Error, Equatable, Sendable {
  /// What kind of fault it is.
  public var kind: Kind
  /// The D-Bus error behind the fault, if any.
  public var cause: DBusError?

  /// Makes an error.
  public init(_ kind: Kind, cause: DBusError? = nil) {
    self.kind = kind
    self.cause = cause
  }

  /// The kinds of fault, one for each remedy.
  public enum Kind: Equatable, Sendable {
    /// The system bus or its library is missing.
    case noBus
    /// This user may not use BlueZ.
    case noAccess
    /// bluetoothd does not run.
    case noDaemon
    /// There is no Bluetooth adapter.
    case noAdapter
    /// The adapter is switched off; its name, such as `hci0`.
    case poweredOff(String)
    /// The adapter is blocked by rfkill.
    case blocked(String)
    /// BlueZ refuses to scan with the adapter.
    case refused(String)
  }

  /// The fault for an error of a call to BlueZ before an adapter is known.
  package init(asking cause: DBusError) {
    let kind: Kind =
      switch cause.kind {
      case .accessDenied: .noAccess
      case .serviceMissing, .timedOut, .unexpectedAnswer, .refused: .noDaemon
      case .libraryMissing, .busMissing, .disconnected, .invalidMessage: .noBus
      }
    self.init(kind, cause: cause)
  }
}

extension BeaconError: CustomStringConvertible {
  /// One line to display.
  public var description: String {
    let what =
      switch kind {
      case .noBus: "Bluetooth: the system bus cannot be reached"
      case .noAccess:
        "Bluetooth: this user may not use BlueZ; sudo usermod -aG bluetooth $USER, and log in again"
      case .noDaemon:
        "Bluetooth: bluetoothd does not run; sudo apt install bluez, sudo systemctl start bluetooth"
      case .noAdapter:
        "Bluetooth: there is no adapter; plug one in, or take disable-bt out of config.txt"
      case .poweredOff(let adapter):
        "Bluetooth \(adapter): switched off; bluetoothctl power on"
      case .blocked(let adapter): "Bluetooth \(adapter): blocked; sudo rfkill unblock bluetooth"
      case .refused(let adapter): "Bluetooth \(adapter): BlueZ cannot scan; journalctl -u bluetooth"
      }
    return cause.map { "\(what) (\($0))" } ?? what
  }
}
