import LinuxIO
import Quantities

extension ProfileStore {
  /// Makes an older generation the current one by a copy with a new number, so that a rollback can be undone
  /// by another.
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

  /// Copies a generation's file to a path outside the store; an existing file is replaced atomically.
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

  /// Stores a file as the newest generation: a profile of this sensor and board, or a plain calibration file,
  /// which has no identity.
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
    guard case .object(let object) = try JSONReader.value(of: bytes) else {
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
}
