import CalibrationFit
import Dispatch
import LinuxIO
import Quantities
import Storage
import Synchronization

/// Saves the results of an online calibration on its own queue, rarely enough for an SD card. A
/// restart continues with the last result. What cannot be saved is saved later.
final class CalibrationKeeper: Sendable {
  /// Shortest interval between two saves that are not urgent, and between two attempts after a
  /// fault, s.
  private static let interval = 60.0

  let archive: CalibrationArchive
  private let waiting = Mutex(Waiting())
  private let unsaved: Mutex<Unsaved>
  private let queue = DispatchQueue(label: "lodestar-keeper", qos: .background)
  private let notify: @Sendable (String) -> Void

  /// - Parameters:
  ///   - archive: Where calibrations are saved.
  ///   - fault: Why the stored ones cannot be read; nil where they can.
  ///   - notify: Receives a sentence when saving fails, and when it works again.
  init(
    _ archive: CalibrationArchive, fault: String? = nil,
    notify: @escaping @Sendable (String) -> Void
  ) {
    (self.archive, self.notify) = (archive, notify)
    unsaved = Mutex(Unsaved(fault: fault))
  }

  /// Why calibrations are not saved, or could not be read; nil where they are.
  var fault: String? { unsaved.withLock { $0.fault } }

  /// Schedules the save of an event's calibration.
  func schedule(_ event: OnlineCalibrationEvent) {
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

  /// Saves a calibration that was made or set; returns when it is on the disk. A waiting one is
  /// dropped.
  /// - Throws: `ProfileStoreError`; the earlier profiles are unchanged, and it is saved later.
  func keep(
    _ result: CalibrationResult, fit: StoredFit, conditions: CalibrationConditions
  ) throws(ProfileStoreError) {
    let fault: ProfileStoreError? = queue.sync {
      drop()
      unsaved.withLock { $0.calibration = Unsaved.Calibration(result, fit, conditions) }
      return save(notifying: false)
    }
    if let fault { throw fault }
  }

  /// Changes the stored profiles; returns when that is on the disk. A waiting calibration is
  /// dropped.
  /// - Throws: `ProfileStoreError`; the earlier profiles are unchanged.
  func change(
    _ change: @Sendable (CalibrationArchive) throws(ProfileStoreError) -> SavedProfile
  ) throws(ProfileStoreError) -> SavedProfile {
    let result: Result<SavedProfile, ProfileStoreError> = queue.sync {
      do throws(ProfileStoreError) {
        let saved = try change(archive)
        drop()
        return .success(saved)
      } catch {
        return .failure(error)
      }
    }
    let saved = try result.get()
    report(nil)
    return saved
  }

  /// Drops the calibrations that wait to be saved.
  func drop() {
    _ = waiting.withLock { $0.removeNewest() }
    unsaved.withLock { $0.calibration = nil }
  }

  /// Saves the deviation learnt from course.
  func save(_ deviation: StoredDeviation) {
    queue.async { [self] in
      unsaved.withLock { $0.deviation = deviation }
      save()
    }
  }

  /// Saves the waiting calibration; returns when it is on the disk.
  func flush() { queue.sync { keep() } }

  /// Checks the folder without a write, and saves what could not be saved; returns at once.
  /// - Parameter didRead: Called where the stored calibrations can be read again, with the newest
  ///   one.
  func saveAgain(_ didRead: @escaping @Sendable (CalibrationProfile) -> Void) {
    queue.async { [self] in
      do throws(ProfileStoreError) {
        let stored = try archive.store.current(for: archive.identity).stored
        if let fault = archive.store.folderFault(for: archive.identity) { throw .file(fault) }
        if fault != nil, let stored { didRead(stored.profile) }
        save()
      } catch {
        report("\(error)")
      }
    }
  }

  private func keep() {
    if let committed = waiting.withLock({ $0.removeNewest() }),
      let result = CalibrationResult(committed)
    {
      let conditions = CalibrationConditions(origin: .online, method: committed.estimate.method)
      unsaved.withLock {
        $0.calibration = Unsaved.Calibration(result, StoredFit(committed.estimate), conditions)
      }
    }
    save()
  }

  /// Saves everything that is not saved yet.
  /// - Returns: Why it was not saved; nil on success.
  @discardableResult
  private func save(notifying: Bool = true) -> ProfileStoreError? {
    do throws(ProfileStoreError) {
      if let new = unsaved.withLock({ $0.calibration }) {
        try archive.keep(new.result, fit: new.fit, conditions: new.conditions)
        unsaved.withLock { $0.calibration = nil }
      }
      if let deviation = unsaved.withLock({ $0.deviation }) {
        try archive.change { $0.deviation = deviation }
        unsaved.withLock { $0.deviation = nil }
      }
      report(nil)
      return nil
    } catch {
      report("\(error)", notifying: notifying)
      let isFirst = unsaved.withLock { unsaved in
        defer { unsaved.isScheduled = true }
        return !unsaved.isScheduled
      }
      guard isFirst else { return error }
      queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
        self?.unsaved.withLock { $0.isScheduled = false }
        self?.save()
      }
      return error
    }
  }

  /// Records the fault of saving, or nil on success; notifies where a fault begins and ends.
  private func report(_ fault: String?, notifying: Bool = true) {
    let before = unsaved.withLock { unsaved in
      defer { unsaved.fault = fault }
      return unsaved.fault
    }
    guard (before == nil) != (fault == nil), notifying else { return }
    notify(
      fault.map { "calibrations are not stored: \($0)" }
        ?? "calibrations are stored again in \(archive.store.directory)")
  }

  /// What is not on the disk.
  private struct Unsaved {
    struct Calibration {
      let result: CalibrationResult
      let fit: StoredFit
      let conditions: CalibrationConditions

      init(_ result: CalibrationResult, _ fit: StoredFit, _ conditions: CalibrationConditions) {
        (self.result, self.fit, self.conditions) = (result, fit, conditions)
      }
    }
    var calibration: Calibration?
    var deviation: StoredDeviation?
    var fault: String?
    /// Whether another attempt is scheduled.
    var isScheduled = false
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

    mutating func removeNewest() -> CommittedCalibration? {
      defer { (newest, isScheduled) = (nil, false) }
      if newest != nil { lastKept = MonotonicClock.now }
      return newest
    }
  }
}
