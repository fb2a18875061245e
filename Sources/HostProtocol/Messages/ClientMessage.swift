public import Monitoring

/// A message of a client. `id` numbers a request; its response, `done` or a value, has the same
/// number.
public enum ClientMessage: Equatable, Sendable {
  /// The client's identification; the first message, sent once.
  case hello(ClientHello)
  /// Opens the source if it is closed, and requests its description; the response is `looked`.
  case look(id: UInt64)
  /// Sets the demand for estimates from now on.
  case demand(EstimateDemand)
  /// Starts or stops sending the sensors' samples, in sensor axes.
  case samples(Bool)
  /// Starts or stops sending what the receiver sends beyond fixes.
  case receiver(Bool)
  /// Begins, cancels or resets a calibration session, or uses a calibration; the response is
  /// `done`.
  case calibrate(id: UInt64, CalibrationOrder)
  /// A request about the stored calibrations; the response is `profiles`, or `done` with the
  /// reason.
  case profiles(id: UInt64, ProfileOrder)
  /// A monitoring command; the response `done` is sent once it is stored.
  case monitor(id: UInt64, MonitoringCommand)
  /// Starts or stops delivery of the application's events; unacknowledged events are delivered
  /// first.
  case listen(Bool)
  /// Requests the application's registrations; the response is `registrations`.
  case registrations(id: UInt64)
  /// Requests an authorization, `whenInUse` or `always`.
  case authorize(GrantedAuthorization)
  /// Requests full accuracy for a purpose; the response is `done`.
  case fullAccuracy(id: UInt64, purpose: String)
  /// Takes or releases a lease: fixes are stored while the client does not read.
  case lease(Bool)
  /// An unknown type; it is ignored.
  case unknown(type: String)
}

/// A change of the calibration.
public enum CalibrationOrder: Codable, Equatable, Sendable {
  /// Begin a session for a use, a word of `CalibrationUse`; nil for that of the board's activity.
  case begin(use: String?)
  /// End the session with its calibration, if that is fair or better.
  case finish
  /// End the session without a result.
  case cancel
  /// Stop using the calibration in use.
  case reset
  /// Use a calibration and store it.
  case use(CodedCalibration)
}
