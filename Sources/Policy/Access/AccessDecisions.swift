import Foundation

/// What was decided about an application whose rule is `ask`.
public struct AccessDecision: Sendable, Equatable, Codable {
  /// What it is authorized to; `notDetermined` where it has asked and waits for a person.
  public var authorization: Authorization
  /// True once it has asked for `always`, which it may do once.
  public var hasAskedForAlways: Bool

  /// Makes a decision.
  public init(authorization: Authorization, hasAskedForAlways: Bool = false) {
    (self.authorization, self.hasAskedForAlways) = (authorization, hasAskedForAlways)
  }
}

/// The decisions of a machine: one small JSON file an application, so that two programs that decide about
/// two applications never meet. A file is replaced in one step and is on the medium then.
public struct AccessDecisions: Sendable {
  /// Where the files are; made when the first one is kept.
  public let folder: String

  /// Uses a folder.
  public init(folder: String) { self.folder = folder }

  /// What was decided about an application.
  /// - Parameter applicationID: Which.
  /// - Returns: nil where nothing was.
  /// - Throws: `noApplicationID`, `damagedDecision`.
  public func decision(for applicationID: String) throws(PolicyError) -> AccessDecision? {
    let path = try path(for: applicationID)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .damagedDecision(path: path, reason: error.plainReason)
    }
    do {
      return try JSONDecoder().decode(AccessDecision.self, from: bytes)
    } catch {
      throw .damagedDecision(path: path, reason: "it is no JSON of a decision")
    }
  }

  /// The applications about which something was decided, in the order of their names.
  /// - Returns: Their identifiers.
  /// - Throws: `decisionsUnreadable`.
  public func applications() throws(PolicyError) -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
        .filter(Policy.isApplicationID).sorted()
    } catch {
      throw .decisionsUnreadable(folder: folder, reason: error.plainReason)
    }
  }

  /// Keeps a decision in place of the one before.
  /// - Parameters:
  ///   - decision: What was decided.
  ///   - applicationID: About which application.
  /// - Throws: `noApplicationID`, `notKept`; what was kept before is kept still.
  public func record(
    _ decision: AccessDecision, for applicationID: String
  ) throws(PolicyError) {
    let path = try path(for: applicationID)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      try SettledFile.write(try encoder.encode(decision), to: path, in: folder)
    } catch {
      throw .notKept(path: path, reason: error.plainReason)
    }
  }

  /// Forgets what was decided, so that the application may ask again; nothing happens where nothing was.
  /// - Parameter applicationID: About which application.
  /// - Throws: `noApplicationID`, `notKept`.
  public func forget(_ applicationID: String) throws(PolicyError) {
    let path = try path(for: applicationID)
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch CocoaError.fileNoSuchFile {
      // Somebody else was faster.
    } catch {
      throw .notKept(path: path, reason: error.plainReason)
    }
  }

  private static let suffix = ".decision.json"

  private func path(for applicationID: String) throws(PolicyError) -> String {
    guard Policy.isApplicationID(applicationID) else {
      throw .noApplicationID(text: applicationID)
    }
    return folder + "/" + applicationID + Self.suffix
  }
}
