import LinuxDBus

/// This system's access points: by NetworkManager, else by wpa_supplicant. Connects for a scan only.
public struct SystemAccessPoints: AccessPointSource {
  private let address: DBusAddress

  /// Over the daemons of a bus.
  public init(_ address: DBusAddress = .system) { self.address = address }

  /// What is around.
  /// - Throws: Why nothing can be scanned.
  public func accessPoints() throws(WiFiError) -> [AccessPoint] {
    let connection = DBusConnection(address)
    defer { connection.close() }
    do throws(WiFiError) {
      return try NetworkManagerScan(connection: connection).accessPoints()
    } catch {
      // What it cannot or may not say, the other may. What NetworkManager said is the better remedy.
      do throws(WiFiError) {
        return try SupplicantScan(connection: connection).accessPoints()
      } catch let other {
        throw other.kind == .noScanner ? error : other
      }
    }
  }
}
