import FoundationEssentials
import LinuxIO

/// User and password for a caster.
package struct NTRIPCredentials: Equatable, Sendable {
  /// The longest line, bytes.
  private static let longest = 1024

  /// `USER:PASSWORD`.
  private let text: String

  /// Reads the first line of a file.
  /// - Throws: `CorrectionFault.credentials`, also where others may read the file.
  package init(path: String) throws(CorrectionFault) {
    let content: String
    do throws(FileFault) {
      content = try LinuxFiles().secret(of: path)
    } catch {
      throw .credentials("\(path): cannot \(error.action): \(error.reason)")
    }
    let line = content.prefix { !$0.isNewline }
    guard line.utf8.count <= Self.longest, let colon = line.firstIndex(of: ":"),
      colon != line.startIndex, !line.unicodeScalars.contains(where: { $0.value < 0x20 })
    else {
      throw .credentials("\(path): the first line is not USER:PASSWORD")
    }
    text = String(line)
  }

  /// The name and the password.
  var parts: (user: String, password: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
  }

  /// The value of the header after `Basic`.
  /// - Source: RFC 7617.
  var basic: String { Data(text.utf8).base64EncodedString() }
}
