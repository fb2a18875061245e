import LinuxIO

/// A file that was not used, with the reason; a warning where an older one is used instead.
public struct ProfileRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// The reason.
  public var fault: ProfileFault

  /// Makes a refusal.
  public init(path: String, fault: ProfileFault) { (self.path, self.fault) = (path, fault) }

  /// One line: the file and the reason.
  public var description: String { "\(path): not used: \(fault)" }
}

/// The reason why the store could not do an operation. The stored profiles are then unchanged.
public enum ProfileStoreError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A system call failed.
  case file(FileFault)
  /// The profile to be stored or imported is not usable.
  case refused(ProfileRefusal)
  /// The sensor has no valid profile of that generation.
  case noSuchGeneration(Int, available: [Int], identity: ProfileIdentity)
  /// Another one was stored since the newest one was read, from which the new one was made.
  case outdated(newest: Int)
  /// Another process has held the lock for this time.
  case busy(path: String, seconds: Int)
  /// The environment names no folder and no home.
  case noPlace

  /// One line: what failed, why, and what to do.
  public var description: String {
    switch self {
    case .file(let fault): fault.textOfState
    case .refused(let refusal): "\(refusal)"
    case .noSuchGeneration(let number, let available, let identity):
      available.isEmpty
        ? "there is no profile of \(identity); calibrate first"
        : "there is no generation \(number) of \(identity); there are "
          + available.map(String.init).joined(separator: ", ")
    case .outdated(let newest):
      "calibration \(newest) was stored meanwhile; repeat the command"
    case .busy(let path, let seconds):
      "\(path): another program has held the lock for \(seconds) s; end it and try again"
    case .noPlace:
      "no folder for calibrations: neither LODESTAR_STATE nor HOME is set; name one in LODESTAR_STATE"
    }
  }
}
