import Foundation
import LinuxIO

/// What is kept of an application beside its monitoring: whose manager starts it.
struct ApplicationRecord: Codable, Equatable {
  var manager: UnitManager
  /// The groups of its process: a unit may have some that its user has not.
  var groups: [UInt32]?

  /// Reads what was kept; nil where nothing was, or nothing that can be read.
  static func read(from folder: String) -> ApplicationRecord? {
    guard let data = FileManager.default.contents(atPath: path(folder)) else { return nil }
    do {
      return try JSONDecoder().decode(ApplicationRecord.self, from: data)
    } catch {
      // The next connection tells it again.
      return nil
    }
  }

  /// Keeps it, in one step.
  func write(to folder: String) throws {
    try LinuxFiles().writePrivate(Array(try JSONEncoder().encode(self)), to: Self.path(folder))
  }

  private static func path(_ folder: String) -> String { folder + "/application.json" }
}
