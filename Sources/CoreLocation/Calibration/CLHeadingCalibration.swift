internal import Quantities

/// Calibrates the magnetometer from a program, as `lodestar calibrate` does from a terminal. During
/// a session the user turns the board slowly in all directions, and the program displays the
/// progress.
///
/// The calibrations of all managers are those of the one magnetometer of the process. Without a
/// session the calibration continues in the background with the available motion. A Lodestar
/// extension.
public actor CLHeadingCalibration {
  private nonisolated let services: LocationServices

  init(services: LocationServices) { self.services = services }

  /// The state of the calibration.
  public enum State: Equatable, Sendable {
    /// There is no reliable calibration: `CLHeading.headingAccuracy` is negative or large.
    case uncalibrated
    /// A session runs. The progress, 0 to 1, is the wanted predicted error of 3 degrees (one sigma
    /// at the worst attitude tilted below 45 degrees; for level use that of the level board)
    /// divided by the error predicted now. From 0.5 on `finish` saves a fair calibration. It can
    /// decrease.
    case collecting(progress: Double)
    /// A calibration is in use. The residual is the root mean square of its fit, microtesla;
    /// negative where it is not known.
    case calibrated(residual: Double)
  }

  /// The state, once it is known, and its changes. A slow reader receives the newest only.
  public nonisolated var states: States { States(services: services) }

  /// Begins a session; does nothing while one runs. The session ends with a good calibration, which
  /// is used at once and stored for this sensor on this board. The sensors stay in use until then.
  /// - Throws: `CLError.denied` without a source, `CLError.headingFailure` without a magnetometer.
  public func begin() async throws { try await services.beginCalibration(for: nil) }

  /// Begins a session as `begin()` does, for a use. Without one the board's activity decides: a
  /// vehicle's calibration is for level use. A level turn gives a fair calibration at best, since
  /// it does not show how the sensor is turned in its case: end it by `finish`.
  /// - Throws: As `begin()`.
  public func begin(for use: CLMagnetometerCalibration.Use) async throws {
    try await services.beginCalibration(for: CalibrationUse(use))
  }

  /// Ends the session with its calibration, which is used at once and stored, if it is fair or
  /// better.
  /// - Throws: `CLError.denied` without a source; `CLError.headingFailure` without a magnetometer,
  ///   without a session, and where the motion is not sufficient yet, with the reason in
  ///   `localizedDescription`; the session then continues.
  public func finish() async throws {
    let failure = await withCheckedContinuation { done in
      services.finishCalibration { done.resume(returning: $0) }
    }
    if let failure { throw failure }
  }

  /// Ends the session, also that of a calibration display, and discards its samples.
  public func cancel() { services.cancelCalibration() }

  /// Discards the calibration in use and all samples; a running session starts anew. The stored
  /// calibration remains, and the next program uses it unless another one is stored before.
  public func reset() { services.resetCalibration() }

  /// The calibration in use; the identity where there is none. A new one is used at once and stored
  /// as a new generation. The setter reports no error; `use` does.
  public var parameters: CLMagnetometerCalibration {
    get { services.calibrationInUse.map(CLMagnetometerCalibration.init) ?? .init() }
    set { services.useCalibration(newValue) { _ in } }
  }

  /// Sets `parameters` and returns once they are stored.
  /// - Throws: `CLError.denied` without a source; `CLError.headingFailure` without a magnetometer
  ///   and for a calibration that cannot be used or stored, with the reason in
  ///   `localizedDescription`.
  public func use(_ parameters: CLMagnetometerCalibration) async throws {
    let failure = await withCheckedContinuation { done in
      services.useCalibration(parameters) { done.resume(returning: $0) }
    }
    if let failure { throw failure }
  }

  /// The states of a calibration.
  public struct States: AsyncSequence, Sendable {
    /// A state.
    public typealias Element = State

    let services: LocationServices

    /// Begins to receive states.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: services.calibrationStates().makeAsyncIterator())
    }

    /// Receives the states.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<State>.Iterator

      /// Waits for the next state; nil once the task is cancelled.
      public mutating func next() async -> State? { await base.next() }
    }
  }
}

extension CLLocationManager {
  /// The calibration of the magnetometer that headings come from.
  public var headingCalibration: CLHeadingCalibration { session.headingCalibration }
}
