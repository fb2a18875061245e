import LinuxIO
import Quantities
import Synchronization

/// A coarse position from access points.
public struct CoarsePosition: Equatable, Sendable {
  /// Degrees, north positive (WGS 84).
  public var latitudeDegrees: Double
  /// Degrees, east positive (WGS 84).
  public var longitudeDegrees: Double
  /// The service's radius with 95 % confidence, metres. No service documents the distribution of
  /// its errors, so it is not converted to a 68 % radius, of which it is an upper limit.
  /// - Source: Ichnaea, docs/api/geolocate.rst, Response.
  public var radius95Metres: Double
  /// When the access points were scanned.
  public var time: UTCTime
}

/// Finds coarse positions: scans, queries the configured service, and limits the rate of requests.
/// Safe from any thread; one request at a time.
public final class WiFiLocator: Sendable {
  /// The service.
  public let configuration: WiFiConfiguration
  private let source: any AccessPointSource
  private let libraries: [String]
  private let now: @Sendable () -> Double
  /// The instant of the next permitted request, seconds of the monotonic clock.
  private let notBefore = Mutex(-Double.infinity)

  /// Makes a locator with this system's Wi-Fi daemon.
  public convenience init(_ configuration: WiFiConfiguration, bus: DBusAddress = .system) {
    self.init(configuration, source: SystemAccessPoints(bus))
  }

  /// Makes a locator with another scanner.
  public convenience init(_ configuration: WiFiConfiguration, source: any AccessPointSource) {
    self.init(configuration, source: source) {
      Double(MonotonicClock.now.nanoseconds) * 1e-9
    }
  }

  /// Makes a locator with another scanner, other names of libcurl, and another clock, seconds.
  package init(
    _ configuration: WiFiConfiguration, source: any AccessPointSource,
    libraries: [String] = CurlLibrary.names, now: @escaping @Sendable () -> Double
  ) {
    self.configuration = configuration
    self.source = source
    self.libraries = libraries
    self.now = now
  }

  /// Seconds until the next request is allowed; 0 if it is allowed now.
  public var pauseSeconds: Double { notBefore.withLock { max(0, $0 - now()) } }

  /// Scans and queries the service: takes some seconds, on the caller's thread. A second caller
  /// waits for the first.
  /// - Throws: Why there is no position.
  public func position() throws(WiFiError) -> CoarsePosition {
    try notBefore.withLock { (notBefore) throws(WiFiError) in try position(&notBefore) }
  }

  private func position(_ notBefore: inout Double) throws(WiFiError) -> CoarsePosition {
    let pause = notBefore - now()
    guard pause <= 0 else { throw WiFiError(.tooSoon(seconds: pause)) }
    let points = try source.accessPoints()
    let scanned = SystemClock.reading.utc
    let request = try IchnaeaRequest(points, oldestSeconds: configuration.oldestSeconds)
    let library: CurlLibrary
    do throws(CurlLibrary.Missing) {
      library = try CurlLibrary(names: libraries)
    } catch {
      throw WiFiError(.libraryMissing)
    }
    // Counts from the sending of a request, also of a failed one, to protect a service in trouble.
    notBefore = now() + configuration.minimumIntervalSeconds
    do throws(WiFiError) {
      let found = try IchnaeaExchange.ask(request, configuration, library)
      return CoarsePosition(
        latitudeDegrees: found.latitude, longitudeDegrees: found.longitude,
        radius95Metres: found.radius, time: scanned)
    } catch {
      if case .tooMany(let seconds) = error.kind { notBefore = max(notBefore, now() + seconds) }
      throw error
    }
  }
}
