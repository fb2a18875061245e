/// A profile with its file.
public struct StoredProfile: Equatable, Sendable {
  /// The profile.
  public var profile: CalibrationProfile
  /// The file.
  public var path: String
}

/// The profile in use.
public struct CurrentProfile: Equatable, Sendable {
  /// The newest valid profile; nil for none.
  public var stored: StoredProfile?
  /// The newer files that were not used, newest first.
  public var refusals: [ProfileRefusal]
}

/// All stored profiles of a sensor.
public struct ProfileHistory: Equatable, Sendable {
  /// The valid profiles, newest first.
  public var stored: [StoredProfile]
  /// The refused files, newest first.
  public var refusals: [ProfileRefusal]
}

extension ProfileStore {
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
  func generations(in folder: String) throws(ProfileStoreError) -> [Int] {
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
    // A writer may remove old generations while they are read; then there are newer ones, and all are read
    // again, at most 100 times.
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
  func readFile(_ path: String, _ number: Int) -> Result<CalibrationProfile, ProfileFault>? {
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
}
