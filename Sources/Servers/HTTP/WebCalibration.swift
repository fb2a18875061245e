import Formats
import HostClient
import HostProtocol
import JSON
import LinuxIO
import LocationHost
import Observers
import Quantities

/// The guided calibration over HTTP: commands of users with a token, messages of its state, and the
/// end of a session whose user has disappeared.
package final class WebCalibration: Sendable {
  /// Time after the last sign of the user who began a session until it is ended, seconds. A phone
  /// whose screen goes dark may send nothing for some minutes, and the boat turns on.
  package static let absence = 180.0
  /// The predicted error of a good calibration, degrees: that of a progress of 1.
  private static let goodError = 3.0
  /// The progress from which a calibration is fair, at 6 degrees, and can be saved.
  private static let readyProgress = 0.5

  private struct State {
    var follower = CalibrationFollower()
    /// The token that began the session.
    package var owner: String?
    /// The newest session ended with a stored calibration.
    var isSaved = false
  }

  private let client: HostClient
  private let log: HostLog
  private let send: @Sendable ([UInt8]) -> Void
  private let state = Locked(State())
  private let observations = Locked<[Observation]>([])

  /// - Parameters:
  ///   - client: The server's client of the host.
  ///   - log: Receives the begin and the end of sessions.
  ///   - send: Sends a message to all pages.
  package init(_ client: HostClient, _ log: HostLog, send: @escaping @Sendable ([UInt8]) -> Void) {
    (self.client, self.log, self.send) = (client, log, send)
    let reports = client.publisher.observeCalibration { [weak self] in self?.report() }
    // The host reports no calibration of a source that was closed.
    let sources = client.observeSource { [weak self] in if !$0.isOpen { self?.report() } }
    let notices = client.observeNotices { [weak self] text in
      self?.state.withLock { $0.follower.receive(text) }
    }
    observations.withLock { $0 = [reports, sources, notices] }
  }

  func stop() { observations.withLock { $0 = [] } }

  // MARK: Commands

  /// Why a command is not executed.
  package struct Refusal: Equatable, Sendable {
    /// True for the policy's refusal.
    package let isForbidden: Bool
    /// One line for the user.
    package let reason: String

    init(_ reason: String) { (isForbidden, self.reason) = (false, reason) }
    init(_ fault: HostFault) { (isForbidden, reason) = (fault.code == .access, fault.message) }
  }

  /// Begins a session, or takes over the one that another user began.
  /// - Parameters:
  ///   - token: The token of the user.
  ///   - use: What the calibration is for; nil for that of the board's activity.
  ///   - done: Receives why the host refuses it; nil where it does not.
  package func begin(
    by token: String, for use: CalibrationUse? = nil, _ done: @escaping @Sendable (Refusal?) -> Void
  ) {
    client.beginCalibration(for: use) { [self] fault in
      if let fault { return done(Refusal(fault)) }
      log.notice("http: the token \(token) began a calibration")
      state.withLock { ($0.owner, $0.isSaved) = (token, false) }
      done(nil)
    }
  }

  /// Ends the session without a result.
  package func cancel(_ done: @escaping @Sendable (Refusal?) -> Void) {
    guard isRunning else { return done(Refusal("no calibration is running")) }
    state.withLock { $0.follower.recordEnd() }
    client.cancelCalibration { [self] fault in
      if fault != nil { state.withLock { $0.follower.retractEnd() } }
      done(fault.map(Refusal.init))
    }
  }

  /// Ends the session with its calibration, which must be fair. The host stores a good one by
  /// itself.
  package func save(_ done: @escaping @Sendable (Refusal?) -> Void) {
    guard isRunning else {
      return done(state.withLock { $0.isSaved } ? nil : Refusal("no calibration is running"))
    }
    state.withLock { $0.follower.setSaving(true) }
    client.finishCalibration { [self] fault in
      // It is in use, with a notice that it is not stored.
      guard let fault, fault.code != .notKept else { return done(nil) }
      // The host may have saved a good one meanwhile.
      if state.withLock({ $0.isSaved }) { return done(nil) }
      state.withLock { $0.follower.setSaving(false) }
      done(Refusal(fault))
    }
  }

  // MARK: The absence of its user

  /// The token whose session runs; nil for none.
  package var owner: String? { isRunning ? state.withLock { $0.owner } : nil }

  /// Ends the session of a user who was last seen at an instant, or whose token was revoked.
  package func endIfAbsent(lastSeen: Timestamp, isRevoked: Bool) {
    let silence = MonotonicClock.now.seconds(since: lastSeen)
    guard isRevoked || silence > Self.absence else { return }
    let reason =
      isRevoked
      ? "Its permission was revoked."
      : "The device that began it was not connected for \(Int(bounded: Self.absence / 60)) minutes."
    let isFirst = state.withLock { state in
      defer { state.owner = nil }
      state.follower.recordEnd(reason: reason)
      return state.owner != nil
    }
    guard isFirst else { return }
    log.warning("http: the calibration was ended. \(reason)")
    client.cancelCalibration { [log] fault in
      if let fault { log.warning("http: \(fault)") }
    }
  }

  // MARK: Messages

  private var isRunning: Bool {
    if case .collecting = client.publisher.calibrator?.standing { return true }
    return false
  }

  private func report() { send(message(isReport: true)) }

  /// The message for a new page, which receives no end of an earlier session.
  var message: [UInt8] { message(isReport: false) }

  private func message(isReport: Bool) -> [UInt8] {
    let calibrator = client.source.isOpen ? client.publisher.calibrator : nil
    let (standing, inUse) = (calibrator?.standing, calibrator?.inUse)
    let phase: CalibrationFollower.Phase = state.withLock { state in
      if isReport {
        let phase = state.follower.update(standing, inUse)
        if case .saved = phase { state.isSaved = true }
        if !state.follower.isRunning { state.owner = nil }
        return phase
      }
      if case .collecting(let progress) = standing { return .collecting(progress: progress) }
      return .idle
    }
    return JSONWriter.record(at: SystemClock.civilTime) { json in
      json.add("type", "calibration")
      var error = inUse?.calibration.predictedError?.degrees
      var use = inUse?.calibration.use
      switch phase {
      case .idle: json.add("state", "idle")
      case .collecting(let progress):
        json.add("state", progress >= Self.readyProgress ? "ready" : "collecting")
        json.add("coverage", progress, decimals: 3)
        error = progress > 0 ? Self.goodError / progress : nil
        use = calibrator?.sessionUse
      case .saved(let notice):
        json.add("state", "saved")
        json.add("message", notice)
      case .failed(let reason):
        json.add("state", "failed")
        json.add("message", reason)
      }
      if case .collecting = phase {
      } else {
        json.add("quality", inUse?.calibration.quality.rawValue)
      }
      json.add("predictedHeadingError", error, decimals: 2)
      json.add("use", use?.rawValue)
    }
  }
}
