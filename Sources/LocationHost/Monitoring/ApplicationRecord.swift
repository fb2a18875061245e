import FoundationEssentials
import JSON
import LinuxIO
import Quantities

/// The stored data for starting an application.
struct ApplicationRecord: Codable, Equatable {
  var manager: UnitManager
  /// The groups of its process: a unit may have groups that its user does not have.
  var groups: [UInt32]?
  /// The unit of the system's service manager that its process belongs to.
  var unit: String?

  /// The claim of its process.
  var claim: Claim { Claim(groups: Set(groups ?? []), unit: unit) }

  /// Reads the record; nil if it is missing or unreadable.
  static func read(from folder: String) -> ApplicationRecord? {
    do {
      let bytes = try LinuxFiles().content(of: path(folder))
      try JSONText.check(bytes)
      return try JSONDecoder().decode(ApplicationRecord.self, from: Data(bytes))
    } catch {
      // The next connection of a client stores it again.
      return nil
    }
  }

  /// Replaces the file atomically.
  func write(to folder: String) throws {
    try LinuxFiles().writePrivate(Array(try JSONEncoder().encode(self)), to: Self.path(folder))
  }

  private static func path(_ folder: String) -> String { folder + "/application.json" }
}
