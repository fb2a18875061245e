/// The domain of every error of Core Location.
public let kCLErrorDomain = "kCLErrorDomain"
/// The key of the region that answers sooner, in a delayed region's error.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

/// What a location service could not do.
///
/// Foundation's own bridging makes `catch CLError.denied`, `error as? CLError` and
/// `(error as NSError).code` work without Objective-C. An `NSError` that somebody else made with this
/// domain does not cast to `CLError` on Linux: make a `CLError`.
public struct CLError: _BridgedStoredNSError {
  /// The stored error that code, domain and user information come from.
  public let _nsError: NSError

  /// Takes over a stored error of this domain.
  public init(_nsError error: NSError) { _nsError = error }

  /// The domain of every error of Core Location.
  public static var _nsErrorDomain: String { kCLErrorDomain }

  /// The domain of every error of Core Location.
  public static var errorDomain: String { kCLErrorDomain }

  /// What went wrong.
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// The error that carries the code.
    public typealias _ErrorType = CLError

    /// No location for now; the service keeps trying.
    case locationUnknown = 0
    /// The program has no access; stop the service.
    case denied = 1
    /// A network was needed and not there.
    case network = 2
    /// The heading cannot be told: something disturbs the field.
    case headingFailure = 3
    /// Regions may not be monitored.
    case regionMonitoringDenied = 4
    /// This region cannot be monitored.
    case regionMonitoringFailure = 5
    /// The region's monitoring starts later.
    case regionMonitoringSetupDelayed = 6
    /// The region's events come late.
    case regionMonitoringResponseDelayed = 7
    /// Nothing was found for the address or place.
    case geocodeFoundNoResult = 8
    /// Only a part was found.
    case geocodeFoundPartialResult = 9
    /// The request was cancelled.
    case geocodeCanceled = 10
    /// Updates could not be deferred.
    case deferredFailed = 11
    /// Updates cannot be deferred while none are running.
    case deferredNotUpdatingLocation = 12
    /// Deferring needs the best accuracy.
    case deferredAccuracyTooLow = 13
    /// Deferring allows no distance filter.
    case deferredDistanceFiltered = 14
    /// Deferring was cancelled.
    case deferredCanceled = 15
    /// There is nothing to range with.
    case rangingUnavailable = 16
    /// Ranging failed.
    case rangingFailure = 17
    /// The authorization was not asked for.
    case promptDeclined = 18
    /// Past locations cannot be had.
    case historicalLocationError = 19
  }
}

extension CLError {
  /// No location for now; the service keeps trying.
  public static var locationUnknown: Code { .locationUnknown }
  /// The program has no access; stop the service.
  public static var denied: Code { .denied }
  /// A network was needed and not there.
  public static var network: Code { .network }
  /// The heading cannot be told: something disturbs the field.
  public static var headingFailure: Code { .headingFailure }
  /// Regions may not be monitored.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// This region cannot be monitored.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  /// The region's monitoring starts later.
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  /// The region's events come late.
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  /// Nothing was found for the address or place.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// Only a part was found.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// The request was cancelled.
  public static var geocodeCanceled: Code { .geocodeCanceled }
  /// Updates could not be deferred.
  public static var deferredFailed: Code { .deferredFailed }
  /// Updates cannot be deferred while none are running.
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  /// Deferring needs the best accuracy.
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  /// Deferring allows no distance filter.
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  /// Deferring was cancelled.
  public static var deferredCanceled: Code { .deferredCanceled }
  /// There is nothing to range with.
  public static var rangingUnavailable: Code { .rangingUnavailable }
  /// Ranging failed.
  public static var rangingFailure: Code { .rangingFailure }
  /// The authorization was not asked for.
  public static var promptDeclined: Code { .promptDeclined }
  /// Past locations cannot be had.
  public static var historicalLocationError: Code { .historicalLocationError }
}
