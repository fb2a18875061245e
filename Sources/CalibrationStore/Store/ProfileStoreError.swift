/// A file that was not used, and why; whoever uses an older one instead warns with it.
public struct ProfileRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// Why.
  public var fault: ProfileFault

  /// Makes a refusal.
  public init(path: String, fault: ProfileFault) { (self.path, self.fault) = (path, fault) }

  /// One line for people.
  public var description: String { "\(path): not used: \(fault)" }
}

/// Why the store did not do what it was asked. What it held before, it still holds.
public enum ProfileStoreError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kernel refused.
  case file(FileFault)
  /// What was to be stored or brought back is no profile that can be used.
  case refused(ProfileRefusal)
  /// The sensor has no valid profile of that generation.
  case noSuchGeneration(Int, available: [Int], identity: ProfileIdentity)
  /// Another process has held the lock for so long.
  case busy(path: String, seconds: Int)
  /// The environment names no folder and no home.
  case noPlace

  /// One line for people.
  public var description: String {
    switch self {
    case .file(let fault): "\(fault)"
    case .refused(let refusal): "\(refusal)"
    case .noSuchGeneration(let number, let available, let identity):
      available.isEmpty
        ? "there is no profile of \(identity); calibrate first"
        : "there is no generation \(number) of \(identity); there are "
          + available.map(String.init).joined(separator: ", ")
    case .busy(let path, let seconds):
      "\(path): another program has held the lock for \(seconds) s; end it and try again"
    case .noPlace:
      "no folder for profiles: neither LODESTAR_STATE nor HOME is set; name one in LODESTAR_STATE"
    }
  }
}
