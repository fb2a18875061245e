public import Monitoring

/// What a client says. `id` names a request that is answered by a `done` or a value with the same number.
public enum ClientMessage: Equatable, Sendable {
  /// Who it is; the first line, once.
  case hello(ClientHello)
  /// Open the source where it is not open, and describe it; answered by `looked`.
  case look(id: UInt64)
  /// What it wants of the estimates from now on.
  case demand(EstimateDemand)
  /// Whether the sensors' samples are to come, as the chips tell them.
  case samples(Bool)
  /// Begin, cancel or reset a session of calibration, or put a calibration in use; answered by `done`.
  case calibrate(id: UInt64, CalibrationOrder)
  /// What the application asks of monitoring; answered by `done` once it is kept.
  case monitor(id: UInt64, MonitoringCommand)
  /// Whether the application's events come here: those that were not acknowledged first.
  case listen(Bool)
  /// What the application has asked of monitoring; answered by `registrations`.
  case registrations(id: UInt64)
  /// Ask for an authorization, `whenInUse` or `always`.
  case authorize(GrantedAuthorization)
  /// Ask for full accuracy for a purpose; answered by `done`.
  case fullAccuracy(id: UInt64, purpose: String)
  /// Whether fixes are to be kept while the client does not read: it may be stopped.
  case lease(Bool)
  /// A type that this version does not know; it is left aside.
  case unknown(type: String)
}

/// What is to be done about the calibration.
public enum CalibrationOrder: Codable, Equatable, Sendable {
  /// Begin a session.
  case begin
  /// End the session.
  case cancel
  /// Let the calibration in use go.
  case reset
  /// Put a calibration in use and keep it.
  case use(CodedCalibration)
}
