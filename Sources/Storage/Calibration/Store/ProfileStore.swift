import LinuxIO

/// Calibration profiles in a folder: a subfolder for each sensor and board, with a file for each generation.
/// The newest valid one is current.
///
/// At every instant, also after a kill or on a full disk: every generation that `save` has returned exists and
/// is complete, and so is every file with a generation's name. A generation is written under another name,
/// synchronised, renamed, and its folder synchronised; only then an older one is removed. A file is never
/// written twice.
public struct ProfileStore: Sendable {
  /// The folder.
  public var directory: String
  /// The number of valid generations to keep. The newest `good` one and the newest guided one are kept in
  /// addition.
  public var keptGenerations: Int
  /// The timeout of the wait for another writer, s: a write takes milliseconds, on a worn card a second.
  let lockTimeout: Int
  let files: any FileOperations

  /// The default number of generations to keep.
  public static var standardKeptGenerations: Int { 10 }

  /// Makes a store; the folder is created with the first profile.
  public init(directory: String, keptGenerations: Int = standardKeptGenerations) {
    self.init(directory: directory, keptGenerations: keptGenerations, files: LinuxFiles())
  }

  /// Makes a store with other file operations, for tests.
  package init(
    directory: String, keptGenerations: Int = standardKeptGenerations,
    lockTimeout: Int = 10, files: any FileOperations
  ) {
    (self.directory, self.lockTimeout, self.files) = (directory, lockTimeout, files)
    self.keptGenerations = max(1, keptGenerations)
  }

  /// The folder of a sensor's and board's generations.
  public func folder(for identity: ProfileIdentity) -> String {
    directory + "/" + identity.folderName
  }

  static func fileName(_ generation: Int) -> String {
    let digits = String(generation)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".json"
  }

  /// - Returns: nil where the name is not that of a generation.
  static func generation(ofFile name: String) -> Int? {
    guard name.hasSuffix(".json") else { return nil }
    let digits = name.dropLast(5)
    // At most fifteen digits: far from an overflow.
    guard (8...15).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }
}
