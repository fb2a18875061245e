import FoundationEssentials
import JSON
import LinuxIO
import Quantities

/// The decision on an application whose rule is `ask`.
public struct AccessDecision: Sendable, Equatable, Codable {
  /// The decided authorization; `notDetermined` while a request waits for a person.
  public var authorization: Authorization
  /// True once it has requested `always`; a second request has no effect.
  public var hasAskedForAlways: Bool

  /// Makes a decision.
  public init(authorization: Authorization, hasAskedForAlways: Bool = false) {
    (self.authorization, self.hasAskedForAlways) = (authorization, hasAskedForAlways)
  }
}

/// The decisions of a machine: one small JSON file for each application, so that decisions on
/// different applications never conflict. A file is replaced atomically and synchronised to the
/// medium.
public struct AccessDecisions: Sendable {
  /// The folder of the files; created with the first one.
  public let folder: String

  /// Uses the decisions in a folder.
  public init(folder: String) { self.folder = folder }

  /// The recorded decision on an application.
  /// - Parameter applicationID: The application.
  /// - Returns: nil for none.
  /// - Throws: `noApplicationID`, `damagedDecision`.
  public func decision(for applicationID: String) throws(PolicyError) -> AccessDecision? {
    let path = try path(for: applicationID)
    let bytes: [UInt8]
    do {
      bytes = try LinuxFiles.ofDaemon.content(of: path)
    } catch {
      if error.isAbsence { return nil }
      throw .damagedDecision(path: path, reason: error.reason)
    }
    do {
      try JSONText.check(bytes)
      return try JSONDecoder().decode(AccessDecision.self, from: Data(bytes))
    } catch {
      throw .damagedDecision(path: path, reason: "not the JSON of a decision")
    }
  }

  /// The applications with a recorded decision, sorted.
  /// - Returns: Their identifiers.
  /// - Throws: `decisionsUnreadable`.
  public func applications() throws(PolicyError) -> [String] {
    let names: [String]
    do {
      names = try LinuxFiles().names(in: folder)
    } catch {
      if error.isAbsence { return [] }
      throw .decisionsUnreadable(folder: folder, reason: error.reason)
    }
    return names.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
      .filter(Policy.isApplicationID).sorted()
  }

  /// Stores a decision in place of the previous one.
  /// - Parameters:
  ///   - decision: The decision.
  ///   - applicationID: The application.
  /// - Throws: `noApplicationID`, `notKept`; the previous decision is then still stored.
  public func record(
    _ decision: AccessDecision, for applicationID: String
  ) throws(PolicyError) {
    let path = try path(for: applicationID)
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      let bytes = try encoder.encode(decision)
      let files = LinuxFiles()
      try files.makeFolders(folder)
      // Several clients may decide at once.
      try files.replace(path, with: Array(bytes), temporaryName: ".\(UUID().uuidString).new")
    } catch let fault as FileFault {
      throw .notKept(path: path, reason: fault.reason)
    } catch {
      throw .notKept(path: path, reason: "\(error)")
    }
  }

  /// Removes the decision on an application, so that it may ask again. No effect without a
  /// decision.
  /// - Parameter applicationID: The application.
  /// - Throws: `noApplicationID`, `notKept`.
  public func forget(_ applicationID: String) throws(PolicyError) {
    let path = try path(for: applicationID)
    do {
      try LinuxFiles().remove(path)
    } catch {
      guard !error.isAbsence else { return }
      throw .notKept(path: path, reason: error.reason)
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
