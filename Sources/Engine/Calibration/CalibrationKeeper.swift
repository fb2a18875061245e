import CalibrationFit
import Foundation
import LinuxIO
import Quantities
import Storage
import Synchronization

/// Saves the results of an online calibration on its own queue, rarely enough for an SD card. A restart
/// continues with the last result.
final class CalibrationKeeper: Sendable {
  /// Shortest interval between two saves that are not urgent, s.
  private static let interval = 60.0

  private let archive: CalibrationArchive
  private let waiting = Mutex(Waiting())
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
    let delay = waiting.withLock { $0.put(committed, isUrgent: isUrgent, interval: Self.interval) }
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
  func drop() { _ = waiting.withLock { $0.take() } }

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
    guard let committed = waiting.withLock({ $0.take() }), let result = CalibrationResult(committed)
    else { return }
    do {
      try archive.keep(
        result, fit: StoredFit(committed.estimate),
        conditions: CalibrationConditions(origin: .online, method: committed.estimate.method))
    } catch {
      notify("the calibration in use was not saved: \(error)")
    }
  }

  /// The calibration that waits to be saved.
  private struct Waiting {
    private var newest: CommittedCalibration?
    private var lastKept: Timestamp?
    private var isScheduled = false

    /// - Returns: The delay of the save, s; nil if a save is already scheduled.
    mutating func put(_ c: CommittedCalibration, isUrgent: Bool, interval: Double) -> Double? {
      newest = c
      let age = lastKept.map { MonotonicClock.now.seconds(since: $0) } ?? .infinity
      guard isUrgent || !isScheduled else { return nil }
      isScheduled = true
      return isUrgent ? 0 : max(0, interval - age)
    }

    mutating func take() -> CommittedCalibration? {
      defer { (newest, isScheduled) = (nil, false) }
      if newest != nil { lastKept = MonotonicClock.now }
      return newest
    }
  }
}
