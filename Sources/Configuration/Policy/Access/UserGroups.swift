#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A user with the groups that the policy's `group` is compared with.
public struct AccessUser: Sendable, Equatable {
  /// The user's number; 0 is root.
  public var id: UInt32
  /// The numbers of the user's groups.
  public var groups: Set<UInt32>

  /// Makes a user.
  public init(id: UInt32, groups: Set<UInt32>) {
    (self.id, self.groups) = (id, groups)
  }

  /// The effective user of this process, with its present groups.
  public static var ofThisProcess: AccessUser {
    var groups: Set<UInt32> = [getegid()]
    let count = getgroups(0, nil)
    if count > 0 {
      var list = [gid_t](repeating: 0, count: Int(count))
      let filled = getgroups(count, &list)
      if filled > 0 { groups.formUnion(list.prefix(Int(filled))) }
    }
    return AccessUser(id: geteuid(), groups: groups)
  }

  /// The user at the other end of a socket, with the groups of the machine's user database.
  /// - Parameters:
  ///   - id: The user's number from `SO_PEERCRED`.
  ///   - groupID: The group's number from `SO_PEERCRED`.
  public init(peer id: UInt32, groupID: UInt32) {
    self.init(id: id, groups: [groupID])
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var text = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(id, &entry, &text, text.count, &found) == 0, found != nil else { return }
    // More groups are not read: this can only refuse access.
    var count: Int32 = 4096
    #if canImport(Darwin)
      var list = [Int32](repeating: 0, count: Int(count))
      guard getgrouplist(entry.pw_name, Int32(entry.pw_gid), &list, &count) >= 0 else { return }
      groups.formUnion(list.prefix(Int(count)).map { UInt32(bitPattern: $0) })
    #else
      var list = [gid_t](repeating: 0, count: Int(count))
      guard getgrouplist(entry.pw_name, entry.pw_gid, &list, &count) >= 0 else { return }
      groups.formUnion(list.prefix(Int(count)))
    #endif
  }
}

extension Policy {
  /// Whether the policy's `group` admits a user.
  /// - Parameter user: The user of the services.
  /// - Returns: True without a group, for root, and for the group's members.
  /// - Throws: `unknownGroup`.
  public func admits(_ user: AccessUser) throws(PolicyError) -> Bool {
    guard let group, user.id != 0 else { return true }
    var entry = Self.emptyGroup
    var found: UnsafeMutablePointer<OpaqueGroup>?
    // Room for the line of a group with thousands of members.
    var text = [CChar](repeating: 0, count: 1 << 18)
    guard getgrnam_r(group, &entry, &text, text.count, &found) == 0, found != nil else {
      throw .unknownGroup(name: group)
    }
    return user.groups.contains(entry.gr_gid)
  }
}

/// The C library's `group`, which the property hides.
private typealias OpaqueGroup = group

extension Policy {
  private static var emptyGroup: OpaqueGroup { OpaqueGroup() }
}
