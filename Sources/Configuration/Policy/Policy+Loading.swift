import FoundationEssentials
import LinuxIO

extension Policy {
  /// The folder of the administrator's files.
  public static let standardFolder = "/etc/corelocation/policy.d"

  /// Reads the policy: the folder's `*.yaml` in the order of their names, then the file or folder
  /// that `LODESTAR_POLICY` names. A later file overrides an earlier one, key by key.
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - folder: The administrator's folder; it may be absent.
  /// - Returns: The policy.
  /// - Throws: The first error in the order of reading.
  public static func load(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    folder: String = standardFolder
  ) throws(PolicyError) -> Policy {
    var files: [String] = []
    if FileManager.default.fileExists(atPath: folder) { files += try policyFiles(in: folder) }
    if let named = environment["LODESTAR_POLICY"], !named.isEmpty {
      var isFolder = false
      let exists = FileManager.default.fileExists(atPath: named, isDirectory: &isFolder)
      files += exists && isFolder ? try policyFiles(in: named) : [named]
    }
    var policy = Policy()
    for file in files { try PolicyReader(path: file).apply(to: &policy) }
    return policy
  }

  /// Reads the policy; in case of an error returns the one that restricts every application.
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - folder: The administrator's folder.
  /// - Returns: The policy, and the error where its files were not used, to be shown to the user.
  public static func loadSafely(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    folder: String = standardFolder
  ) -> (policy: Policy, error: PolicyError?) {
    do {
      return (try load(environment: environment, folder: folder), nil)
    } catch {
      return (.restricted, error)
    }
  }

  private static func policyFiles(in folder: String) throws(PolicyError) -> [String] {
    let names: [String]
    do {
      names = try LinuxFiles().names(in: folder)
    } catch {
      throw .unreadable(path: folder, reason: error.reason)
    }
    // By bytes, as `ls` does in the C locale, independent of the language.
    return names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { folder + "/" + $0 }
  }
}
