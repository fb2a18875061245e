import FoundationEssentials
import JSON
import LinuxIO

/// The version of a kept file's format. A program reads its own version and older ones, and neither
/// changes nor removes a file of a newer one, which an update after a rollback finds again. Only
/// `MonitoringJournal` renames it, and continues without it: after the update a person has to bring
/// it back (Documentation/Fleet.md).
package enum StateVersion {
  /// Why a file of a newer version is not used, and what to do.
  /// - Parameters:
  ///   - found: The file's version.
  ///   - known: The newest that this program reads.
  /// - Returns: One sentence without the path.
  package static func reason(_ found: Int, known: Int) -> String {
    "it has \(found == .max ? "another version" : "version \(found)") of its format, written by a newer lodestar; "
      + "this one reads \(known) and older: "
      + "update lodestar (sudo apt install lodestar)"
  }

  private struct Head: Decodable {
    var version: Number?
  }

  /// A whole number; any other version is that of a program which this one does not know.
  private struct Number: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        value = try container.decode(Int.self)
      } catch {
        value = .max
      }
    }
  }

  /// The version of a JSON file, where it is newer than known; nil for others, and for a file that
  /// is no JSON object. A file without the key has version 1, one whose version is no whole number
  /// a newer one.
  package static func newer(_ bytes: [UInt8], known: Int) -> Int? {
    do {
      try JSONText.check(bytes)
      let version = try JSONDecoder().decode(Head.self, from: Data(bytes)).version?.value ?? 1
      return version > known ? version : nil
    } catch {
      // The reader of the file says what is wrong with it.
      return nil
    }
  }
}
