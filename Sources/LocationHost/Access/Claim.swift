import LinuxIO

/// What the kernel reports of the process that claims an application's name, beside its user.
package struct Claim: Hashable, Sendable {
  /// The groups of the process: a unit may have groups that its user does not have.
  package var groups: Set<UInt32>
  /// The unit of the system's service manager that the process belongs to; nil if there is none.
  package var unit: String?

  package init(groups: Set<UInt32> = [], unit: String? = nil) {
    (self.groups, self.unit) = (groups, unit)
  }

  /// The claim of a client.
  package init(_ peer: PeerCredentials) {
    self.init(groups: peer.allGroups, unit: peer.controlGroups.systemService)
  }
}
