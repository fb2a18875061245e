import CalibrationFit
import CalibrationStore
import Foundation

/// Keeps what an online calibration finds, off the way of the samples and not more often than a card can
/// bear: a restart then begins where this run ended.
final class CalibrationKeeper: Sendable {
  /// Seconds between two that are kept while nothing dramatic happens.
  private static let interval = 60.0

  private let archive: CalibrationArchive
  private let state = Waiting()
  private let queue = DispatchQueue(label: "lodestar-keeper", qos: .background)
  private let complain: @Sendable (String) -> Void

  init(_ archive: CalibrationArchive, complain: @escaping @Sendable (String) -> Void) {
    (self.archive, self.complain) = (archive, complain)
  }

  /// Keeps an event's calibration, or lets it wait for a newer one.
  func take(_ event: OnlineCalibrationEvent) {
    guard let committed = event.calibration else {
      // What was refuted is not to be kept after all.
      drop()
      return
    }
    var isUrgent = true
    if case .committed = event { isUrgent = false }
    let delay = state.put(committed, isUrgent: isUrgent, interval: Self.interval)
    guard let delay else { return }
    queue.asyncAfter(deadline: .now() + delay) { [self] in keep() }
  }

  /// Keeps a calibration that was made or set, in place of what waits; returns when it is on the disk.
  /// - Throws: `ProfileStoreError`; what was kept before is still there.
  func keep(
    _ result: CalibrationResult, fit: StoredFit, conditions: CalibrationConditions
  ) throws(ProfileStoreError) {
    let outcome: Result<SavedProfile, ProfileStoreError> = queue.sync {
      drop()
      do throws(ProfileStoreError) {
        return .success(try archive.keep(result, fit: fit, conditions: conditions))
      } catch {
        return .failure(error)
      }
    }
    _ = try outcome.get()
  }

  /// Forgets the calibration that waits to be kept.
  func drop() { _ = state.take() }

  /// Keeps what course has taught of the vehicle.
  func take(_ deviation: StoredDeviation) {
    queue.async { [self] in
      do {
        try archive.keep(deviation)
      } catch {
        complain("the deviation that was learnt was not kept: \(error)")
      }
    }
  }

  /// Keeps what waits, and returns when it is on the disk.
  func flush() { queue.sync { keep() } }

  private func keep() {
    guard let committed = state.take(), let result = CalibrationResult(committed) else { return }
    do {
      try archive.keep(
        result, fit: StoredFit(committed.estimate),
        conditions: CalibrationConditions(origin: .online, method: committed.estimate.method))
    } catch {
      complain("the calibration in use was not kept: \(error)")
    }
  }

  /// The calibration that waits to be kept.
  private final class Waiting: @unchecked Sendable {
    private let lock = NSLock()
    private var newest: CommittedCalibration?
    private var lastKept: Date?
    private var isScheduled = false

    /// - Returns: After how many seconds somebody should come for it; nil where somebody will.
    func put(_ c: CommittedCalibration, isUrgent: Bool, interval: Double) -> Double? {
      lock.withLock {
        newest = c
        let age = lastKept.map { Date().timeIntervalSince($0) } ?? .infinity
        guard isUrgent || !isScheduled else { return nil }
        isScheduled = true
        return isUrgent ? 0 : max(0, interval - age)
      }
    }

    func take() -> CommittedCalibration? {
      lock.withLock {
        defer { (newest, isScheduled) = (nil, false) }
        if newest != nil { lastKept = Date() }
        return newest
      }
    }
  }
}
