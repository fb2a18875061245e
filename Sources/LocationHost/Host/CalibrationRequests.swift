import HostProtocol
import Pipeline
import Quantities

/// The clients' requests about calibrations, and the reports of their state.
final class CalibrationRequests: Sendable {
  private let sessions: HostSessions
  private let source: any HostSource
  private let access: any AccessRules
  private let diskQueue: FairQueue
  private let log: HostLog
  private let reports = RepeatedWork()

  init(
    _ sessions: HostSessions, _ source: any HostSource, access: any AccessRules,
    on diskQueue: FairQueue, log: HostLog
  ) {
    (self.sessions, self.source, self.access) = (sessions, source, access)
    (self.diskQueue, self.log) = (diskQueue, log)
  }

  /// Sends the state of the calibration to all clients. When two threads call it at the same time,
  /// one of them sends, and sends again for the other call. The last report therefore has the newest
  /// state.
  func report() { reports.run { sendReport() } }

  private func sendReport() {
    guard let calibrator = source.calibrator else { return }
    if case .collecting = calibrator.standing {
    } else {
      // The calibration session has ended: no disconnect may cancel a later one.
      for session in sessions.all { session.withState { $0.hasBegunCalibration = false } }
    }
    sessions.send(.calibration(CalibrationReport(calibrator)))
  }

  /// Cancels the calibration session that a client has begun, after its connection has ended.
  func cancel(of session: HostSession, _ key: ApplicationKey) {
    guard session.withState({ $0.hasBegunCalibration }) else { return }
    diskQueue.add(key) { [source] in source.calibrator?.cancel() }
  }

  /// Executes a calibration command.
  func handle(
    _ command: CalibrationOrder, _ id: UInt64, _ session: HostSession, _ key: ApplicationKey,
    _ done: @escaping @Sendable () -> Void
  ) {
    let isOwnEnd = command == .cancel && session.withState { $0.hasBegunCalibration }
    if !isOwnEnd, let fault = refusal(of: session, key) {
      session.send(.done(id: id, fault))
      return done()
    }
    switch command {
    case .begin: session.withState { $0.hasBegunCalibration = true }
    case .cancel: session.withState { $0.hasBegunCalibration = false }
    case .finish, .reset, .use: break
    }
    // Storing a calibration waits for the disk.
    diskQueue.add(key) { [source] in
      let fault = source.calibrator.map { command.execute($0) }
      let answer =
        fault
        ?? HostFault(.noSensor, "calibration failed: no magnetometer is open (\(source.status))")
      session.send(.done(id: id, answer))
      done()
    }
  }

  /// Answers a request about the stored calibrations. A change needs the permission to calibrate,
  /// reading full accuracy: a calibration contains its place.
  func handle(
    _ order: ProfileOrder, _ id: UInt64, _ session: HostSession, _ key: ApplicationKey,
    _ done: @escaping @Sendable () -> Void
  ) {
    let changeFault = refusal(of: session, key)
    let access = session.withState { $0.access }
    var refusal = order.isChange ? changeFault : nil
    if !access.authorization.isGranted || access.accuracy != .full {
      refusal = HostFault(
        .access,
        "calibrations are not shown: they contain their place, and the application has no locations at full "
          + "accuracy: \(access.refusal); ask the administrator")
    }
    if let refusal {
      session.send(.done(id: id, refusal))
      return done()
    }
    diskQueue.add(key) { [source, log] in
      defer { done() }
      do throws(HostFault) {
        guard let profiles = source.calibrator as? any ProfileCalibrator else {
          throw HostFault(.noSensor, "no calibrations: no magnetometer is open (\(source.status))")
        }
        session.send(.profiles(id: id, try order.execute(profiles, changeFault: changeFault)))
        if order.isChange { log.notice("\(session.name) has changed the stored calibrations") }
      } catch {
        session.send(.done(id: id, error))
      }
    }
  }

  private func refusal(of session: HostSession, _ key: ApplicationKey) -> HostFault? {
    let access = session.withState { $0.access }
    guard access.authorization.isGranted else {
      return HostFault(
        .access,
        "calibration refused: the application has no access to locations: \(access.refusal); ask the "
          + "administrator")
    }
    return self.access.calibrationFault(of: key, claim: session.claim).map {
      HostFault(.access, "calibration refused: \($0)")
    }
  }
}

extension CalibrationReport {
  init(_ calibrator: any FieldCalibrator) {
    self.init()
    if case .collecting(let progress) = calibrator.standing {
      (self.progress, use) = (progress, calibrator.sessionUse.rawValue)
    }
    inUse = calibrator.inUse.map {
      CodedCalibration($0.calibration, residualMicrotesla: $0.residualMicrotesla)
    }
  }
}

extension CalibrationOrder {
  /// Executes the command.
  /// - Returns: The reason why it failed; nil on success.
  fileprivate func execute(_ calibrator: any FieldCalibrator) -> HostFault? {
    do throws(CalibrationFault) {
      switch self {
      // A word of a newer client is not known here: the board's activity decides.
      case .begin(let use): calibrator.begin(for: use.flatMap(CalibrationUse.init))
      case .finish: try calibrator.finish()
      case .cancel: calibrator.cancel()
      case .reset: calibrator.reset()
      case .use(let coded):
        guard let calibration = coded.calibration else {
          return HostFault(
            .unusable, "the calibration is invalid: expected three matrix rows and a known quality")
        }
        try calibrator.use(
          CalibrationInUse(calibration, residualMicrotesla: coded.residualMicrotesla))
      }
      return nil
    } catch {
      switch error {
      case .unusable: return HostFault(.unusable, "\(error)")
      case .notKept: return HostFault(.notKept, "\(error)")
      case .insufficient(let reason): return HostFault(.unusable, reason)
      }
    }
  }
}
