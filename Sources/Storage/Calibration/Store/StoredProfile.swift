import LinuxIO

/// A profile with its file.
public struct StoredProfile: Equatable, Sendable {
  /// The profile.
  public var profile: CalibrationProfile
  /// The file.
  public var path: String

  /// Makes a profile with its file.
  public init(profile: CalibrationProfile, path: String) {
    (self.profile, self.path) = (profile, path)
  }
}

/// The profile in use.
public struct CurrentProfile: Equatable, Sendable {
  /// The newest valid profile; nil for none.
  public var stored: StoredProfile?
  /// The newer files that were not used, newest first.
  public var refusals: [ProfileRefusal]

  /// Makes the profile in use.
  public init(stored: StoredProfile?, refusals: [ProfileRefusal]) {
    (self.stored, self.refusals) = (stored, refusals)
  }
}

/// All stored profiles of a sensor.
public struct ProfileHistory: Equatable, Sendable {
  /// The valid profiles, newest first.
  public var stored: [StoredProfile]
  /// The refused files, newest first.
  public var refusals: [ProfileRefusal]

  /// Makes a history.
  public init(stored: [StoredProfile], refusals: [ProfileRefusal]) {
    (self.stored, self.refusals) = (stored, refusals)
  }
}

/// A profile after it was stored.
public struct SavedProfile: Equatable, Sendable {
  /// The profile with its generation.
  public var profile: CalibrationProfile
  /// The file.
  public var path: String
  /// The fault that prevented the removal of older generations; the new one is stored nevertheless.
  public var cleanupFault: FileFault?
}
