import FoundationEssentials

/// The service and the limits of its use. There is no default service: nothing is sent unless the
/// user configures one.
public struct WiFiConfiguration: Equatable, Sendable {
  /// The service's address for positions, such as `https://example.org/v1/geolocate`.
  public let url: URL
  /// The service's API key, sent as `?key=`; nil for none.
  public var key: String?
  /// Seconds between two requests. Smaller: follows a vehicle better, loads the service and sends
  /// it more; larger: coarser in time. The default is that of Core Location's significant change, 5
  /// minutes.
  public var minimumIntervalSeconds = 300.0
  /// Timeout of a request, including the time to connect, seconds.
  public var timeoutSeconds = 15.0
  /// Largest age of an access point that is sent, seconds. NetworkManager lists them for 6 minutes,
  /// in which a vehicle moves far.
  public var oldestSeconds = 120.0

  /// Makes a configuration.
  /// - Parameters:
  ///   - address: The service's address.
  ///   - key: Its API key.
  /// - Throws: `badAddress` if the address is not http or https with a host.
  public init(_ address: String, key: String? = nil) throws(WiFiError) {
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
      scheme == "http" || scheme == "https", let host = url.host, !host.isEmpty
    else { throw WiFiError(.badAddress(address)) }
    self.url = url
    self.key = key
  }

  /// The address with the key.
  package var requestURL: URL {
    guard let key, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      return url
    }
    parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "key", value: key)]
    return parts.url ?? url
  }
}
