import LinuxIO

/// Why there is no coarse position. The description is one line with the cause and the remedy.
public struct WiFiError: Error, Equatable, Sendable {
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
    /// The service's address is not an http or https URL.
    case badAddress(String)
    /// Neither NetworkManager nor wpa_supplicant runs.
    case noScanner
    /// This user has no permission.
    case noAccess
    /// There is no Wi-Fi device.
    case noDevice
    /// Fewer access points than the service's minimum; their number.
    case tooFew(Int)
    /// Too soon after the last request; the remaining wait, seconds.
    case tooSoon(seconds: Double)
    /// The service has no position of any of the access points.
    case notFound
    /// The service refuses the key or the request; its status and reason.
    case refused(status: Int, reason: String)
    /// The service's rate limit is reached; the wait, seconds.
    case tooMany(seconds: Double)
    /// The service has an internal error; its status.
    case outOfOrder(status: Int)
    /// libcurl is not installed.
    case libraryMissing
    /// The service cannot be reached, or not before the timeout.
    case unreachable(String)
    /// The service's answer is invalid.
    case badAnswer(String)
  }

  /// The fault for an error of a call to a daemon.
  init(asking cause: DBusError) {
    let isDenied = if case .accessDenied = cause.kind { true } else { false }
    self.init(isDenied ? .noAccess : .noScanner, cause: cause)
  }
}

extension WiFiError: CustomStringConvertible {
  /// One line to display.
  public var description: String {
    cause.map { "Wi-Fi position: \(what) (\($0))" } ?? "Wi-Fi position: \(what)"
  }

  private var what: String {
    switch kind {
    case .badAddress(let text):
      "'\(text)' is not an http or https address; give the service's, ending in /v1/geolocate"
    case .noScanner:
      "neither NetworkManager nor wpa_supplicant answers; sudo systemctl start NetworkManager"
    case .noAccess:
      "this user may not ask for access points; allow it org.freedesktop.NetworkManager, or run as root"
    case .noDevice: "there is no Wi-Fi device; plug one in, or see rfkill list"
    case .tooFew(let count):
      "\(count) access points may be sent, and a request needs \(IchnaeaRequest.fewest)"
    case .tooSoon(let seconds): "too soon after the last request; wait \(seconds) s"
    case .notFound: "the service knows none of these access points"
    case .refused(let status, let reason):
      "the service refuses with \(status) \(reason); check its key"
    case .tooMany(let seconds): "the service's rate limit is reached; wait \(seconds) s"
    case .outOfOrder(let status): "the service has an internal error (\(status)); try again later"
    case .libraryMissing: "\(CurlLibrary.Missing())"
    case .unreachable(let says): "the service cannot be reached: \(says)"
    case .badAnswer(let says): "the service's answer is invalid: \(says)"
    }
  }
}
