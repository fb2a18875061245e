import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A profile after it was stored.
public struct SavedProfile: Equatable, Sendable {
  /// The profile with its generation.
  public var profile: CalibrationProfile
  /// The file.
  public var path: String
  /// The fault that prevented the removal of older generations; the new one is stored nevertheless.
  public var cleanupFault: FileFault?
}

extension ProfileStore {
  /// Stores a profile as the newest generation.
  /// - Parameter profile: The profile; its `generation` and `restoredFrom` are replaced.
  /// - Returns: The profile with its generation, which is on the medium.
  /// - Throws: `refused` for an invalid profile, `file` for a failed system call, `busy`. The stored
  ///   generations are then unchanged.
  @discardableResult
  public func save(_ profile: CalibrationProfile) throws(ProfileStoreError) -> SavedProfile {
    var profile = profile
    profile.restoredFrom = nil
    return try store(profile)
  }

  func store(_ profile: CalibrationProfile) throws(ProfileStoreError) -> SavedProfile {
    let folder = folder(for: profile.identity)
    do {
      try files.makeFolders(folder)
    } catch {
      throw .file(error)
    }
    let lock = try acquireLock(folder + "/.lock")
    defer { files.unlock(lock) }
    let existing = try generations(in: folder)
    var profile = profile
    profile.generation = (existing.last ?? 0) + 1
    let path = folder + "/" + Self.fileName(profile.generation)
    let bytes = try sound(profile, path)
    do {
      // Before the first generation: the process that created the folders may have been killed before it
      // synchronised them.
      if existing.isEmpty { try syncAncestors(of: folder) }
      // No other process writes now: files without their final name are left over, and may fill the disk.
      try removeLeftovers(in: folder)
      try files.replace(path, with: bytes)
    } catch {
      throw .file(error)
    }
    var cleanupFault: FileFault?
    do {
      try prune(folder, existing, newest: profile)
    } catch {
      cleanupFault = error
    }
    return SavedProfile(profile: profile, path: path, cleanupFault: cleanupFault)
  }

  /// The bytes of a profile, after a check that they read back unchanged.
  private func sound(
    _ profile: CalibrationProfile, _ path: String
  ) throws(ProfileStoreError) -> [UInt8] {
    let bytes = Array(profile.json.utf8)
    do throws(ProfileFault) {
      let read = try CalibrationProfile(json: bytes)
      guard read == profile else { throw .unsound("it does not read back unchanged") }
      return bytes
    } catch {
      throw .refused(ProfileRefusal(path: path, fault: error))
    }
  }

  private func syncAncestors(of path: String) throws(FileFault) {
    for folder in Self.ancestors(of: path) {
      do {
        try files.syncFolder(folder)
      } catch {
        // A folder without read permission was not created here; every other one must be on the medium.
        guard error.code == EACCES || error.code == EPERM, !mayList(folder) else { throw error }
      }
    }
  }

  private func mayList(_ folder: String) -> Bool {
    do { _ = try files.names(in: folder) } catch { return false }
    return true
  }

  /// The folders above a path, nearest first.
  private static func ancestors(of path: String) -> [String] {
    var folders: [String] = []
    var rest = path[...]
    while let slash = rest.lastIndex(of: "/") {
      rest = rest[..<slash]
      if !rest.isEmpty && !rest.hasSuffix("/") { folders.append(String(rest)) }
    }
    return folders + [path.hasPrefix("/") ? "/" : "."]
  }

  private func acquireLock(_ path: String) throws(ProfileStoreError) -> Int32 {
    for _ in 0...(lockTimeout * 200) {
      do {
        if let lock = try files.lock(path) { return lock }
      } catch {
        throw .file(error)
      }
      usleep(5000)
    }
    throw .busy(path: path, seconds: lockTimeout)
  }

  private func removeLeftovers(in folder: String) throws(FileFault) {
    for name in try files.names(in: folder) where name.hasPrefix(".") && name.hasSuffix(".new") {
      try files.remove(folder + "/" + name)
    }
  }

  /// Removes valid generations beyond the limit. A file that cannot be read stays: it may be of a newer
  /// program.
  private func prune(
    _ folder: String, _ older: [Int], newest: CalibrationProfile
  ) throws(FileFault) {
    guard older.count >= keptGenerations else { return }
    var kept = 1
    var hasGood = newest.result.quality == .good
    var hasGuided = newest.conditions.origin == .guided
    for number in older.reversed() {
      let path = folder + "/" + Self.fileName(number)
      guard case .success(let profile)? = readFile(path, number),
        profile.identity.matches(newest.identity)
      else { continue }
      let isNewestGood = !hasGood && profile.result.quality == .good
      if isNewestGood { hasGood = true }
      // The newest guided calibration is not displaced by automatic ones.
      let isNewestGuided = !hasGuided && profile.conditions.origin == .guided
      if isNewestGuided { hasGuided = true }
      if kept < keptGenerations {
        kept += 1
      } else if !isNewestGood && !isNewestGuided {
        try files.remove(path)
      }
    }
  }
}
