import Dispatch
import HostProtocol
import LinuxIO
internal import Observers
internal import Pipeline
import Quantities

/// The daemon's calibrator.
final class HostCalibrator: FieldCalibrator {
  /// Timeout of storing a calibration, seconds: a memory card may be slow.
  fileprivate static let timeout = 10.0

  /// Timeout of the answer to the begin or the end of a session, seconds: a display waits for it.
  fileprivate static let beginTimeout = 5.0

  // A strong reference, so that the connection stays open.
  private let client: HostClient
  private var core: ClientCore { client.core }

  init(client: HostClient) { self.client = client }

  var inUse: CalibrationInUse? {
    core.withState { $0.calibration?.inUse }.flatMap { coded in
      coded.calibration.map {
        CalibrationInUse($0, residualMicrotesla: coded.residualMicrotesla)
      }
    }
  }

  var standing: CalibrationStanding {
    if let progress = core.withState({ $0.calibration?.progress }) {
      return .collecting(progress: progress)
    }
    return CalibrationStanding(inUse)
  }

  var sessionUse: CalibrationUse {
    core.withState { $0.calibration?.use }.flatMap(CalibrationUse.init) ?? .anyAttitude
  }

  func begin(for use: CalibrationUse?) { report(.begin(use: use?.rawValue)) }

  func finish() throws(CalibrationFault) {
    do throws(HostError) {
      _ = try core.ask(seconds: Self.timeout) { .calibrate(id: $0, .finish) }
    } catch {
      guard case .refused(let fault) = error else { throw .insufficient("\(error)") }
      throw fault.code == .notKept ? .notKept(fault.message) : .insufficient(fault.message)
    }
  }

  func cancel() { core.send { .calibrate(id: $0.makeID(), .cancel) } }
  func reset() { report(.reset) }

  func use(_ calibration: CalibrationInUse) throws(CalibrationFault) {
    let coded = CodedCalibration(
      calibration.calibration, residualMicrotesla: calibration.residualMicrotesla)
    do throws(HostError) {
      _ = try core.ask(seconds: Self.timeout) { .calibrate(id: $0, .use(coded)) }
    } catch {
      guard case .refused(let fault) = error, fault.code == .notKept else {
        throw .unusable("\(error)")
      }
      throw .notKept(fault.message)
    }
  }

  func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    core.calibrations.add { _ in body() }
  }

  /// Sends a command; a refusal is a notice.
  private func report(_ order: CalibrationOrder) {
    let notices = core.notices
    core.calibrate(order) { if let fault = $0 { notices.notify("\(fault)") } }
  }
}

extension HostClient {
  /// Begins a session of calibration. `completion` is called once, on any thread: with the reason
  /// if no session began, else with nil. A host that has not answered within five seconds is asked
  /// to end the session, unless it was running before.
  package func beginCalibration(
    for use: CalibrationUse? = nil, _ completion: @escaping @Sendable (HostFault?) -> Void
  ) {
    calibrate(.begin(use: use?.rawValue), completion)
  }

  /// Ends the session of calibration with its result, if that is fair or better. `completion` is
  /// called once, on any thread, at the latest after ten seconds: with the reason if there is no
  /// result, else with nil.
  package func finishCalibration(_ completion: @escaping @Sendable (HostFault?) -> Void) {
    calibrate(.finish, seconds: HostCalibrator.timeout, completion)
  }

  /// Ends the session of calibration without a result. `completion` is called once, on any thread,
  /// at the latest after five seconds: with the reason if the session may continue, else with nil.
  package func cancelCalibration(_ completion: @escaping @Sendable (HostFault?) -> Void) {
    calibrate(.cancel, completion)
  }

  private func calibrate(
    _ order: CalibrationOrder, seconds: Double = HostCalibrator.beginTimeout,
    _ completion: @escaping @Sendable (HostFault?) -> Void
  ) {
    let isOpen = Locked(true)
    let isFirst: @Sendable () -> Bool = {
      isOpen.withLock { isOpen in
        defer { isOpen = false }
        return isOpen
      }
    }
    let isRunning = core.withState { $0.calibration?.progress != nil }
    core.calibrate(order) { if isFirst() { completion($0) } }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [core] in
      guard isFirst() else { return }
      if case .begin = order, !isRunning { core.send { .calibrate(id: $0.makeID(), .cancel) } }
      completion(HostFault(.other, "\(HostError.noAnswer(path: core.place))"))
    }
  }
}

extension ClientCore {
  fileprivate func calibrate(
    _ order: CalibrationOrder, _ completion: @escaping @Sendable (HostFault?) -> Void
  ) {
    let fault: @Sendable (HostError) -> HostFault? = { error in
      if case .refused(let fault) = error { return fault }
      // Without a connection no session goes on.
      return order == .cancel ? nil : HostFault(.other, "\(error)")
    }
    do throws(HostError) {
      try enqueue({ .calibrate(id: $0, order) }) { result in
        if case .failure(let error) = result { completion(fault(error)) } else { completion(nil) }
      }
    } catch {
      completion(fault(error))
    }
  }
}
