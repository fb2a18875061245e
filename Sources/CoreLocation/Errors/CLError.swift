/// The domain of every error of Core Location.
public let kCLErrorDomain = "kCLErrorDomain"
/// The key of the region that answers sooner, in a delayed region's error.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

/// An error of a location service.
///
/// Foundation's own bridging makes `catch CLError.denied`, `error as? CLError` and
/// `(error as NSError).code` work without Objective-C. On Linux an `NSError` that a program makes
/// with this domain does not cast to `CLError`: make a `CLError`.
public struct CLError: _BridgedStoredNSError {
  /// The stored error with the code, domain and user information.
  public let _nsError: NSError

  /// Wraps a stored error of this domain.
  public init(_nsError error: NSError) { _nsError = error }

  /// The domain of every error of Core Location.
  public static var _nsErrorDomain: String { kCLErrorDomain }

  /// The domain of every error of Core Location.
  public static var errorDomain: String { kCLErrorDomain }

  /// The error codes of Core Location.
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// The error with this code.
    public typealias _ErrorType = CLError

    /// No location at present; the service continues.
    case locationUnknown = 0
    /// The program has no access; stop the service.
    case denied = 1
    /// The network, or the offline gazetteer, is not available.
    case network = 2
    /// The heading is not known: something disturbs the field.
    case headingFailure = 3
    /// The program has no authorization to monitor regions.
    case regionMonitoringDenied = 4
    /// This region cannot be monitored.
    case regionMonitoringFailure = 5
    /// The region's monitoring starts with a delay.
    case regionMonitoringSetupDelayed = 6
    /// The region's events are delayed.
    case regionMonitoringResponseDelayed = 7
    /// Nothing was found for the address or place.
    case geocodeFoundNoResult = 8
    /// Only a part of the address was found.
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
    /// Ranging is not available: no usable Bluetooth adapter, or reduced accuracy.
    case rangingUnavailable = 16
    /// Ranging failed.
    case rangingFailure = 17
    /// The request for authorization was declined.
    case promptDeclined = 18
    /// Past locations are not available.
    case historicalLocationError = 19
  }
}

extension CLError {
  /// No location at present; the service continues.
  public static var locationUnknown: Code { .locationUnknown }
  /// The program has no access; stop the service.
  public static var denied: Code { .denied }
  /// The network, or the offline gazetteer, is not available.
  public static var network: Code { .network }
  /// The heading is not known: something disturbs the field.
  public static var headingFailure: Code { .headingFailure }
  /// The program has no authorization to monitor regions.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// This region cannot be monitored.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  /// The region's monitoring starts with a delay.
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  /// The region's events are delayed.
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  /// Nothing was found for the address or place.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// Only a part of the address was found.
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
  /// Ranging is not available: no usable Bluetooth adapter, or reduced accuracy.
  public static var rangingUnavailable: Code { .rangingUnavailable }
  /// Ranging failed.
  public static var rangingFailure: Code { .rangingFailure }
  /// The request for authorization was declined.
  public static var promptDeclined: Code { .promptDeclined }
  /// Past locations are not available.
  public static var historicalLocationError: Code { .historicalLocationError }
}
