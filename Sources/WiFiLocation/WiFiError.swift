import LinuxDBus

/// Why there is no coarse position. The description is one line that names who refuses and the remedy.
public struct WiFiError: Error, Equatable, Sendable {
  /// What kind of fault it is.
  public var kind: Kind
  /// What D-Bus said, where it is behind the fault.
  public var cause: DBusError?

  /// Makes an error.
  public init(_ kind: Kind, cause: DBusError? = nil) {
    self.kind = kind
    self.cause = cause
  }

  /// The kinds of fault, as far as they have different remedies.
  public enum Kind: Equatable, Sendable {
    /// The service's address is no http or https URL.
    case badAddress(String)
    /// Neither NetworkManager nor wpa_supplicant can be asked.
    case noScanner
    /// This user may not ask.
    case noAccess
    /// There is no Wi-Fi device.
    case noDevice
    /// Fewer access points than the service may be asked with; how many.
    case tooFew(Int)
    /// The last request was too short a time ago; how long to wait, seconds.
    case tooSoon(seconds: Double)
    /// The service knows none of the access points.
    case notFound
    /// The service refuses the key or the request; its status and reason.
    case refused(status: Int, reason: String)
    /// The service has had enough; how long to wait, seconds.
    case tooMany(seconds: Double)
    /// The service is out of order; its status.
    case outOfOrder(status: Int)
    /// libcurl, which speaks HTTP, is not installed.
    case libraryMissing
    /// The service cannot be reached in time.
    case unreachable(String)
    /// The service's answer is none.
    case badAnswer(String)
  }

  /// What an error of a call to a daemon means.
  init(asking cause: DBusError) {
    let isDenied = if case .accessDenied = cause.kind { true } else { false }
    self.init(isDenied ? .noAccess : .noScanner, cause: cause)
  }
}

extension WiFiError: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    cause.map { "Wi-Fi position: \(what) (\($0))" } ?? "Wi-Fi position: \(what)"
  }

  private var what: String {
    switch kind {
    case .badAddress(let text):
      "'\(text)' is no http or https address; give the service's, ending in /v1/geolocate"
    case .noScanner:
      "neither NetworkManager nor wpa_supplicant answers; sudo systemctl start NetworkManager"
    case .noAccess:
      "this user may not ask for access points; allow it org.freedesktop.NetworkManager, or run as root"
    case .noDevice: "there is no Wi-Fi device; plug one in, or see rfkill list"
    case .tooFew(let count):
      "\(count) access points may be sent, and a request needs \(IchnaeaRequest.fewest)"
    case .tooSoon(let seconds): "asked too soon; wait \(seconds) s"
    case .notFound: "the service knows none of these access points"
    case .refused(let status, let reason):
      "the service refuses with \(status) \(reason); check its key"
    case .tooMany(let seconds): "the service has had enough requests; wait \(seconds) s"
    case .outOfOrder(let status): "the service is out of order (\(status)); try again later"
    case .libraryMissing: "libcurl.so.4 is not installed; sudo apt install libcurl4"
    case .unreachable(let says): "the service cannot be reached: \(says)"
    case .badAnswer(let says): "the service's answer is none: \(says)"
    }
  }
}
