import LinuxIO

/// This system's access points: by NetworkManager, else by wpa_supplicant. Connects for a scan
/// only.
public struct SystemAccessPoints: AccessPointSource {
  private let address: DBusAddress

  /// Uses the daemons on a bus.
  public init(_ address: DBusAddress = .system) { self.address = address }

  /// The access points in range.
  /// - Throws: Why no scan is possible.
  public func accessPoints() throws(WiFiError) -> [AccessPoint] {
    let connection = DBusConnection(address)
    defer { connection.close() }
    do throws(WiFiError) {
      return try NetworkManagerScan(connection: connection).accessPoints()
    } catch {
      // Try wpa_supplicant. If that fails too, NetworkManager's error has the better remedy.
      do throws(WiFiError) {
        return try SupplicantScan(connection: connection).accessPoints()
      } catch let other {
        throw other.kind == .noScanner ? error : other
      }
    }
  }
}
