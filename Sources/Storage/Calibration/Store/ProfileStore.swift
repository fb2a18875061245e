import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Calibration profiles in a folder: a subfolder for each sensor and board, with a file for each
/// generation. The newest valid one is current.
///
/// At every instant, also after a kill or on a full disk, every generation that `save` has returned
/// exists and is complete. Every file with a generation's name is complete. A generation is written
/// under another name, synchronised, renamed, and its folder synchronised; only then an older one
/// is removed. A file is never written twice.
public struct ProfileStore: Sendable {
  /// The folder.
  public var directory: String
  /// The number of valid generations to keep. The newest `good` one and the newest guided one are
  /// kept in addition.
  public var keptGenerations: Int
  /// The timeout of the wait for another writer, s: a write takes milliseconds, on a worn card a
  /// second.
  private let lockTimeout: Int
  private let files: any FileOperations

  /// The default number of generations to keep.
  public static var standardKeptGenerations: Int { 10 }

  /// Makes a store; the folder is created with the first profile.
  public init(directory: String, keptGenerations: Int = standardKeptGenerations) {
    self.init(directory: directory, keptGenerations: keptGenerations, files: LinuxFiles())
  }

  /// Makes a store with other file operations, for tests.
  package init(
    directory: String, keptGenerations: Int = standardKeptGenerations,
    lockTimeout: Int = 10, files: any FileOperations
  ) {
    (self.directory, self.lockTimeout, self.files) = (directory, lockTimeout, files)
    self.keptGenerations = max(1, keptGenerations)
  }

  /// The folder of a sensor's and board's generations.
  public func folder(for identity: ProfileIdentity) -> String {
    directory + "/" + identity.folderName
  }

  // MARK: Reading

  /// The newest valid profile, with the refused newer files.
  /// - Throws: `file` where the folder cannot be listed. A missing folder counts as empty.
  public func current(
    for identity: ProfileIdentity
  ) throws(ProfileStoreError) -> CurrentProfile {
    let (stored, refusals) = try read(for: identity, most: 1)
    return CurrentProfile(stored: stored.first, refusals: refusals)
  }

  /// All stored profiles of a sensor.
  /// - Throws: `file` where the folder cannot be listed.
  public func history(
    for identity: ProfileIdentity
  ) throws(ProfileStoreError) -> ProfileHistory {
    let (stored, refusals) = try read(for: identity, most: .max)
    return ProfileHistory(stored: stored, refusals: refusals)
  }

  /// The sensors and boards with profiles in the store, from their newest valid profile.
  /// - Throws: `file` where the folder cannot be listed.
  public func identities() throws(ProfileStoreError) -> [ProfileIdentity] {
    var identities: [ProfileIdentity] = []
    for name in try listing(directory).sorted() {
      let folder = directory + "/" + name
      for number in try generations(in: folder).reversed() {
        let path = folder + "/" + Self.fileName(number)
        if case .success(let profile)? = readFile(path, number), profile.identity.folderName == name
        {
          identities.append(profile.identity)
          break
        }
      }
    }
    return identities
  }

  /// The generations that have a file, oldest first.
  private func generations(in folder: String) throws(ProfileStoreError) -> [Int] {
    try listing(folder).compactMap(Self.generation(ofFile:)).sorted()
  }

  private func listing(_ folder: String) throws(ProfileStoreError) -> [String] {
    do {
      return try files.names(in: folder)
    } catch {
      if error.isAbsence { return [] }
      throw .file(error)
    }
  }

  private func read(
    for identity: ProfileIdentity, most: Int
  ) throws(ProfileStoreError) -> ([StoredProfile], [ProfileRefusal]) {
    let folder = folder(for: identity)
    // A writer may remove old generations while they are read. Then newer ones exist, and all are
    // read again, at most 100 times.
    var attempts = 0
    while true {
      attempts += 1
      var stored: [StoredProfile] = []
      var refusals: [ProfileRefusal] = []
      var hasVanished = false
      for number in try generations(in: folder).reversed() where stored.count < most {
        let path = folder + "/" + Self.fileName(number)
        switch readFile(path, number) {
        case nil: hasVanished = true
        case .success(let profile)? where !profile.identity.matches(identity):
          let fault = ProfileFault.foreign(found: profile.identity, expected: identity)
          refusals.append(ProfileRefusal(path: path, fault: fault))
        case .success(let profile)?: stored.append(StoredProfile(profile: profile, path: path))
        case .failure(let fault)?: refusals.append(ProfileRefusal(path: path, fault: fault))
        }
      }
      if !hasVanished || attempts == 100 { return (stored, refusals) }
    }
  }

  /// - Returns: nil where the file does not exist any more.
  private func readFile(_ path: String, _ number: Int) -> Result<CalibrationProfile, ProfileFault>?
  {
    let bytes: [UInt8]
    do {
      bytes = try files.content(of: path)
    } catch {
      return error.isAbsence ? nil : .failure(.unreadable(error.reason))
    }
    do {
      var profile = try CalibrationProfile(json: bytes)
      // The file name defines the generation: a manual copy is a generation of its own.
      profile.generation = number
      return .success(profile)
    } catch {
      return .failure(error)
    }
  }

  /// Why profiles of a sensor cannot be read or written, found without a write; nil where they can.
  /// Of missing folders the nearest existing parent decides.
  public func folderFault(for identity: ProfileIdentity) -> FileFault? {
    var folder = folder(for: identity)
    while true {
      do throws(FileFault) {
        try files.checkFolder(folder)
        return nil
      } catch {
        guard error.code == ENOENT, folder.parentFolder != folder else { return error }
        folder = folder.parentFolder
      }
    }
  }

  // MARK: Saving

  /// Stores a profile as the newest generation.
  /// - Parameter profile: The profile; its `generation` and `restoredFrom` are replaced.
  /// - Returns: The profile with its generation, which is on the medium.
  /// - Throws: `refused` for an invalid profile, `file` for a failed system call, `busy`. The
  ///   stored generations are then unchanged.
  @discardableResult
  public func save(_ profile: CalibrationProfile) throws(ProfileStoreError) -> SavedProfile {
    var profile = profile
    profile.restoredFrom = nil
    return try store(profile)
  }

  private func store(_ profile: CalibrationProfile) throws(ProfileStoreError) -> SavedProfile {
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
      // Before the first generation: the process that created the folders may have been killed
      // before it synchronised them.
      if existing.isEmpty { try syncAncestors(of: folder) }
      // No other process writes now: files without their final name are left over, and may fill the
      // disk.
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
        // A folder without read permission was not created here; every other one must be on the
        // medium.
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

  /// Removes valid generations beyond the limit. A file that cannot be read stays: it may be of a
  /// newer program.
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

  // MARK: Older generations and other files

  /// Makes an older generation the current one by a copy with a new number, so that a rollback can
  /// be undone by another.
  /// - Parameters:
  ///   - generation: The older generation.
  ///   - identity: Its sensor and board.
  /// - Returns: The copy with its own generation.
  /// - Throws: `noSuchGeneration`, and what `save` throws.
  @discardableResult
  public func rollback(
    to generation: Int, for identity: ProfileIdentity
  ) throws(ProfileStoreError) -> SavedProfile {
    var profile = try stored(generation, for: identity).profile
    profile.restoredFrom = generation
    return try store(profile)
  }

  /// Copies a generation's file to a path outside the store; an existing file is replaced
  /// atomically.
  /// - Parameters:
  ///   - path: The new file.
  ///   - generation: The generation; nil for the current one.
  ///   - identity: Its sensor and board.
  /// - Throws: `noSuchGeneration`, `file`.
  public func export(
    to path: String, generation: Int? = nil, for identity: ProfileIdentity
  ) throws(ProfileStoreError) {
    let source = try stored(generation, for: identity).path
    do {
      try files.replace(path, with: try files.content(of: source))
    } catch {
      throw .file(error)
    }
  }

  /// Stores a file as the newest generation: a profile of this sensor and board, or a plain
  /// calibration file, which has no identity.
  /// - Parameters:
  ///   - path: The file.
  ///   - identity: The sensor and board that it is for.
  ///   - made: The time of a plain calibration; a profile has its own.
  ///   - isChecked: False to accept a profile that was edited by hand; it gets a new checksum.
  ///   - mayBeForeign: True to accept a profile of another sensor or board.
  /// - Returns: The profile with its generation.
  /// - Throws: `refused` with the reason, and what `save` throws.
  @discardableResult
  public func `import`(
    from path: String, for identity: ProfileIdentity, made: UTCTime, isChecked: Bool = true,
    mayBeForeign: Bool = false
  ) throws(ProfileStoreError) -> SavedProfile {
    let bytes: [UInt8]
    do {
      bytes = try files.content(of: path)
    } catch {
      throw .file(error)
    }
    return try `import`(
      bytes, named: path, for: identity, made: made, isChecked: isChecked,
      mayBeForeign: mayBeForeign)
  }

  /// Stores the content of a file as the newest generation, as above.
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The file's name in messages.
  ///   - identity: The sensor and board that it is for.
  ///   - made: The time of a plain calibration; a profile has its own.
  ///   - isChecked: False to accept a profile that was edited by hand; it gets a new checksum.
  ///   - mayBeForeign: True to accept a profile of another sensor or board.
  /// - Returns: The profile with its generation.
  /// - Throws: `refused` with the reason, and what `save` throws.
  @discardableResult
  public func `import`(
    _ bytes: [UInt8], named path: String, for identity: ProfileIdentity, made: UTCTime,
    isChecked: Bool = true, mayBeForeign: Bool = false
  ) throws(ProfileStoreError) -> SavedProfile {
    var profile: CalibrationProfile
    do {
      profile = try Self.profile(bytes, identity, made, isChecked)
    } catch {
      throw .refused(ProfileRefusal(path: path, fault: error))
    }
    guard profile.identity.matches(identity) || mayBeForeign else {
      let fault = ProfileFault.foreign(found: profile.identity, expected: identity)
      throw .refused(ProfileRefusal(path: path, fault: fault))
    }
    profile.identity = identity
    // A plain file has no other sections: those of the current profile are kept.
    if profile.conditions.origin == .imported,
      let before = try current(for: identity).stored?.profile
    {
      profile.boardYawRadians = profile.boardYawRadians ?? before.boardYawRadians
      profile.gyroscope = profile.gyroscope ?? before.gyroscope
      profile.accelerometer = profile.accelerometer ?? before.accelerometer
      if profile.loads.isEmpty { profile.loads = before.loads }
    }
    return try save(profile)
  }

  private static func profile(
    _ bytes: [UInt8], _ identity: ProfileIdentity, _ made: UTCTime, _ isChecked: Bool
  ) throws(ProfileFault) -> CalibrationProfile {
    guard case .object(let object) = try JSONValue(json: bytes) else {
      throw .notProfile("the JSON is not an object")
    }
    if ProfileSeal.isClaimed(by: object) {
      return try CalibrationProfile(object, isChecked: isChecked)
    }
    let fields = ProfileFields(object: object)
    var profile = CalibrationProfile(
      made: made, identity: identity, conditions: CalibrationConditions(origin: .imported),
      result: try CalibrationResult(fields))
    profile.fit = try StoredFit(fields)
    return profile
  }

  /// The valid profile of a generation, or the current one.
  private func stored(
    _ generation: Int?, for identity: ProfileIdentity
  ) throws(ProfileStoreError) -> StoredProfile {
    let stored = try history(for: identity).stored
    let match = stored.first { generation == nil || $0.profile.generation == generation }
    guard let match else {
      let available = stored.map(\.profile.generation)
      throw .noSuchGeneration(generation ?? 0, available: available, identity: identity)
    }
    return match
  }

  // MARK: File names

  private static func fileName(_ generation: Int) -> String {
    let digits = String(generation)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".json"
  }

  /// - Returns: nil where the name is not that of a generation.
  private static func generation(ofFile name: String) -> Int? {
    guard name.hasSuffix(".json") else { return nil }
    let digits = name.dropLast(5)
    // At most fifteen digits: far from an overflow.
    guard (8...15).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }
}
