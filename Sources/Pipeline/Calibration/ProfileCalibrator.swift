import Storage

/// A calibrator whose calibrations are stored as profiles. Safe from any thread.
package protocol ProfileCalibrator: FieldCalibrator {
  /// The stored calibrations; nil where none are stored.
  var archive: CalibrationArchive? { get }
  /// Changes the stored calibrations; the newest is in use when this returns.
  /// - Parameter change: Stores a new generation.
  /// - Returns: The generation; nil where none are stored.
  /// - Throws: `ProfileStoreError`; the stored ones and the one in use are unchanged.
  func store(
    _ change: @Sendable (CalibrationArchive) throws(ProfileStoreError) -> SavedProfile
  ) throws(ProfileStoreError) -> SavedProfile?
  /// Why calibrations are not saved, or could not be read, in one line; nil where they are.
  var storageFault: String? { get }
  /// Checks the folder, and saves what could not be saved; returns at once.
  func storeAgain()
}
