/// The users and groups of a machine.
/// - Source: passwd(5), group(5).
package struct UserAccounts: Sendable {
  /// A user.
  package struct User: Equatable, Sendable {
    /// The name.
    package var name: String
    /// The number.
    package var uid: UInt32
    /// The number of the primary group.
    package var gid: UInt32
  }

  /// A group.
  package struct Group: Equatable, Sendable {
    /// The name.
    package var name: String
    /// The number.
    package var gid: UInt32
    /// The names of its users, beyond those whose primary group it is.
    package var members: [String]
  }

  /// All users.
  package let users: [User]
  /// All groups.
  package let groups: [Group]

  /// Reads the texts of both files; malformed lines are ignored.
  package init(passwd: String, group: String) {
    users = Self.fields(passwd).compactMap { fields in
      guard fields.count > 3, let uid = UInt32(fields[2]), let gid = UInt32(fields[3]) else {
        return nil
      }
      return User(name: String(fields[0]), uid: uid, gid: gid)
    }
    groups = Self.fields(group).compactMap { fields in
      guard fields.count > 3, let gid = UInt32(fields[2]) else { return nil }
      let members = fields[3].split(separator: ",").map(String.init)
      return Group(name: String(fields[0]), gid: gid, members: members)
    }
  }

  /// The user of a name.
  package func user(_ name: String) -> User? { users.first { $0.name == name } }

  /// The group of a name.
  package func group(_ name: String) -> Group? { groups.first { $0.name == name } }

  /// The numbers of a user's groups.
  package func groups(of user: User) -> Set<UInt32> {
    Set(groups.filter { $0.members.contains(user.name) }.map(\.gid)).union([user.gid])
  }

  private static func fields(_ text: String) -> [[Substring]] {
    text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
  }
}
