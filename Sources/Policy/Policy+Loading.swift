import Foundation

extension Policy {
  /// Where an administrator's files are.
  public static let standardFolder = "/etc/corelocation/policy.d"

  /// Reads the policy: the folder's `*.yaml` in the order of their names, then what `LODESTAR_POLICY`
  /// names (a file, or a folder of such files). What comes later wins, key by key.
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - folder: The administrator's folder; one that is absent is an empty one.
  /// - Returns: The policy.
  /// - Throws: The first thing that is wrong, in the order of reading.
  public static func load(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    folder: String = standardFolder
  ) throws(PolicyError) -> Policy {
    var files: [String] = []
    if FileManager.default.fileExists(atPath: folder) { files += try policyFiles(in: folder) }
    if let named = environment["LODESTAR_POLICY"], !named.isEmpty {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: named, isDirectory: &isFolder)
      files += exists && isFolder.boolValue ? try policyFiles(in: named) : [named]
    }
    var policy = Policy()
    for file in files { try PolicyReader(path: file).apply(to: &policy) }
    return policy
  }

  /// Reads the policy; where that fails, everybody is restricted.
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - folder: The administrator's folder.
  /// - Returns: The policy, and what is wrong with its files where they were not used: tell it to people.
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
    do {
      // By bytes, as `ls` does in the C locale: not by the reader's language.
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        .map { folder + "/" + $0 }
    } catch {
      throw .unreadable(path: folder, reason: error.plainReason)
    }
  }
}

extension Error {
  /// The system's own words where there are some: Foundation's name the file again.
  var plainReason: String {
    let error = self as NSError
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError,
      cause.domain == NSPOSIXErrorDomain
    {
      return String(cString: strerror(Int32(cause.code)))
    }
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError {
      return String(cString: strerror(cause.code.rawValue))
    }
    return error.localizedDescription
  }
}
