/// Calibration profiles in a folder: for each sensor and board a folder, in it a file for each
/// generation, the newest valid one being current.
///
/// What holds at every instant, whatever is killed or full: a generation that `save` has returned is
/// there, whole, and every file with a generation's name is whole. For that a generation is written under
/// another name, brought to the medium, named, and the name brought to the medium; only then an older one
/// may go. A file is never written twice.
public struct ProfileStore: Sendable {
  /// The folder.
  public var directory: String
  /// How many valid generations are kept; more lets one go back further. The newest `good` one is kept
  /// besides.
  public var keptGenerations: Int
  /// How long another writer is waited for, s: a write takes milliseconds, on a worn card a second.
  let patience: Int
  let files: any FileOperations

  /// How many generations are kept where nobody says.
  public static var standardKeptGenerations: Int { 10 }

  /// Makes a store; nothing is touched before something is stored.
  public init(directory: String, keptGenerations: Int = standardKeptGenerations) {
    self.init(directory: directory, keptGenerations: keptGenerations, files: LinuxFiles())
  }

  /// Makes a store on other files than the kernel's.
  package init(
    directory: String, keptGenerations: Int = standardKeptGenerations,
    patience: Int = 10, files: any FileOperations
  ) {
    (self.directory, self.patience, self.files) = (directory, patience, files)
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

  /// - Returns: nil where the name is no generation's.
  static func generation(ofFile name: String) -> Int? {
    guard name.hasSuffix(".json") else { return nil }
    let digits = name.dropLast(5)
    // Fifteen digits are beyond all use and far from an overflow.
    guard (8...15).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }
}
