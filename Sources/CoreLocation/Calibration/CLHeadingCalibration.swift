/// Calibrates the magnetometer from inside a program, as `lodestar calibrate` does from a terminal: while a
/// session runs somebody turns the board slowly in all directions, and the program shows the progress.
///
/// Every manager's calibration is of the one magnetometer that the process reads. Without any session
/// calibration goes on silently with whatever motion there is. Lodestar's own; Apple has nothing alike.
public actor CLHeadingCalibration {
  private nonisolated let services: LocationServices

  init(services: LocationServices) { self.services = services }

  /// How the calibration stands.
  public enum State: Equatable, Sendable {
    /// There is no calibration, or none that can be trusted: `CLHeading.headingAccuracy` is negative or
    /// large.
    case uncalibrated
    /// A session runs. The progress, 0 to 1, is the share of the wanted predicted error that is reached:
    /// 3 degrees (one sigma at the worst attitude tilted below 45 degrees) over the error predicted now.
    /// It can fall.
    case collecting(progress: Double)
    /// A calibration is in use. The residual is the root mean square of what it left of the observations
    /// that it was made of, microtesla; negative where nobody has said.
    case calibrated(residual: Double)
  }

  /// The state, once it is known, and its changes from then on; a slow reader finds the newest only.
  public nonisolated var states: States { States(services: services) }

  /// Begins a session; does nothing while one runs. It ends by itself with a good calibration, which is
  /// put in use and kept for this sensor on this board. The sensors stay in use until it ends.
  /// - Throws: `CLError.denied` without a source, `CLError.headingFailure` without a magnetometer.
  public func begin() async throws { try await services.beginCalibration() }

  /// Ends the session, also one of a calibration display; what it has collected goes.
  public func cancel() { services.cancelCalibration() }

  /// Lets the calibration in use and all that was collected go; a session goes on from nothing. What was
  /// kept stays kept and is used again by the next program, unless another is kept before.
  public func reset() { services.resetCalibration() }

  /// The calibration in use; the one that changes nothing where there is none. A new one is in use at once
  /// and kept as a new generation; the setter cannot say what went wrong, `use` does.
  public var parameters: CLMagnetometerCalibration {
    get { services.calibrationInUse.map(CLMagnetometerCalibration.init) ?? .init() }
    set { services.useCalibration(newValue) { _ in } }
  }

  /// Sets `parameters` and returns once they are kept.
  /// - Throws: `CLError.denied` without a source, `CLError.headingFailure` without a magnetometer and for a
  ///   calibration that cannot be used or kept; its `localizedDescription` says why.
  public func use(_ parameters: CLMagnetometerCalibration) async throws {
    let failure = await withCheckedContinuation { done in
      services.useCalibration(parameters) { done.resume(returning: $0) }
    }
    if let failure { throw failure }
  }

  /// The states of a calibration.
  public struct States: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = State

    let services: LocationServices

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: services.calibrationStates().makeAsyncIterator())
    }

    /// Hands the states out.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<State>.Iterator

      /// The next state; nil once the task is cancelled.
      public mutating func next() async -> State? { await base.next() }
    }
  }
}

extension CLLocationManager {
  /// The calibration of the magnetometer that headings come from.
  public var headingCalibration: CLHeadingCalibration { session.headingCalibration }
}
