/// What distinguishes this machine from others.
package enum MachineIdentity {
  /// The machine's identifier; empty where it has none.
  /// - Source: machine-id(5).
  package static var identifier: String { SystemFiles.text(of: "/etc/machine-id") ?? "" }
}
