import LinuxIO

/// Access points by wpa_supplicant, if NetworkManager does not run.
/// - Source: wpa_supplicant, D-Bus API (doc/dbus.doxygen): fi.w1.wpa_supplicant1, .Interface, .BSS.
struct SupplicantScan {
  static let service = "fi.w1.wpa_supplicant1"
  private static let path = "/fi/w1/wpa_supplicant1"
  private static let interface = service + ".Interface"
  private static let bss = service + ".BSS"

  let connection: DBusConnection

  /// The access points in range, by a new scan if wpa_supplicant permits it.
  func accessPoints() throws(WiFiError) -> [AccessPoint] {
    var points: [AccessPoint] = []
    let radios: [String]
    do throws(DBusError) {
      let value = try connection.property(
        "Interfaces", of: Self.service, at: Self.path, service: Self.service)
      radios = value.elements?.compactMap(\.text) ?? []
      for radio in radios { try refresh(radio) }
      for radio in radios { points += try list(radio) }
    } catch {
      throw WiFiError(asking: error)
    }
    guard !radios.isEmpty else { throw WiFiError(.noDevice) }
    return points
  }

  /// Requests a scan and waits for its end. A refusal means that a scan is active or has just
  /// ended.
  private func refresh(_ radio: String) throws(DBusError) {
    do throws(DBusError) {
      _ = try connection.call(
        DBusCall(
          Self.service, radio, Self.interface, "Scan",
          [.properties(["Type": .string("passive")])]))
    } catch {
      switch error.kind {
      case .refused, .accessDenied: return
      default: throw error
      }
    }
    let end = MonotonicClock.now.advanced(byNanoseconds: WiFiScan.timeout)
    repeat {
      WiFiScan.pause()
      let scanning = try connection.property(
        "Scanning", of: Self.interface, at: radio, service: Self.service)
      if scanning.boolean != true { return }
    } while MonotonicClock.now < end
  }

  private func list(_ radio: String) throws(DBusError) -> [AccessPoint] {
    let value = try connection.property(
      "BSSs", of: Self.interface, at: radio, service: Self.service)
    var points: [AccessPoint] = []
    for element in (value.elements ?? []).prefix(WiFiScan.capacity) {
      guard let path = element.text else { continue }
      let asked = DBusCall(
        Self.service, path, "org.freedesktop.DBus.Properties", "GetAll", [.string(Self.bss)])
      do throws(DBusError) {
        let properties = try connection.call(asked).first?.members ?? [:]
        if let point = Self.point(properties) { points.append(point) }
      } catch {
        guard case .refused = error.kind else { throw error }
      }
    }
    return points
  }

  static func point(_ properties: [String: DBusValue]) -> AccessPoint? {
    guard let bssid = properties["BSSID"]?.bytes.flatMap({ BSSID($0) }) else { return nil }
    // Drivers without dBm report a quality, which is not negative.
    let signal = properties["Signal"]?.integer.flatMap { -120 ... -1 ~= $0 ? $0 : nil }
    return AccessPoint(
      bssid: bssid, ssid: properties["SSID"]?.bytes ?? [], signalDBm: signal,
      frequencyMHz: properties["Frequency"]?.integer.flatMap { $0 > 0 ? $0 : nil },
      ageSeconds: properties["Age"]?.integer.map(Double.init))
  }
}
