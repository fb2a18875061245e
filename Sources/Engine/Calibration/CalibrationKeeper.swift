import CalibrationFit
import Foundation
import Storage

/// Saves the results of an online calibration on its own queue, rarely enough for an SD card. A restart
/// continues with the last result.
final class CalibrationKeeper: Sendable {
  /// Shortest interval between two saves that are not urgent, s.
  private static let interval = 60.0

  private let archive: CalibrationArchive
  private let state = Waiting()
  private let queue = DispatchQueue(label: "lodestar-keeper", qos: .background)
  private let notify: @Sendable (String) -> Void

  init(_ archive: CalibrationArchive, notify: @escaping @Sendable (String) -> Void) {
    (self.archive, self.notify) = (archive, notify)
  }

  /// Schedules the save of an event's calibration.
  func take(_ event: OnlineCalibrationEvent) {
    guard let committed = event.calibration else {
      // The event revoked the calibration: it must not be saved.
      drop()
      return
    }
    var isUrgent = true
    if case .committed = event { isUrgent = false }
    let delay = state.put(committed, isUrgent: isUrgent, interval: Self.interval)
    guard let delay else { return }
    queue.asyncAfter(deadline: .now() + delay) { [self] in keep() }
  }

  /// Saves a calibration that was made or set; returns when it is on the disk. A waiting one is dropped.
  /// - Throws: `ProfileStoreError`; the earlier profiles are unchanged.
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

  /// Drops the calibration that waits to be saved.
  func drop() { _ = state.take() }

  /// Saves the deviation learnt from course.
  func take(_ deviation: StoredDeviation) {
    queue.async { [self] in
      do {
        try archive.keep(deviation)
      } catch {
        notify("the learnt deviation was not saved: \(error)")
      }
    }
  }

  /// Saves the waiting calibration; returns when it is on the disk.
  func flush() { queue.sync { keep() } }

  private func keep() {
    guard let committed = state.take(), let result = CalibrationResult(committed) else { return }
    do {
      try archive.keep(
        result, fit: StoredFit(committed.estimate),
        conditions: CalibrationConditions(origin: .online, method: committed.estimate.method))
    } catch {
      notify("the calibration in use was not saved: \(error)")
    }
  }

  /// The calibration that waits to be saved.
  private final class Waiting: @unchecked Sendable {
    private let lock = NSLock()
    private var newest: CommittedCalibration?
    private var lastKept: Date?
    private var isScheduled = false

    /// - Returns: The delay of the save, s; nil if a save is already scheduled.
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
