import LinuxIO
import ReceiverProtocols

extension SignalKOwnPlaces {
  /// The names and addresses of this machine, and the ports at which this process listens.
  /// - Parameter server: The server that sends the values. `localhost` in them is its own machine.
  init(seenFrom server: String) {
    self.init(ports: PortOwner.ownPorts(datagrams: false))
    hosts = Set(MachineAddress.ofNetworks() + MachineAddress.ofNetworks(isIPv6: true))
    if let name = MachineAddress.hostName?.lowercased() {
      let label = name.prefix { $0 != "." }
      hosts.formUnion([name, String(label), "\(label).local"])
    }
    let loopback: Set = ["localhost", "127.0.0.1", "::1"]
    let server = server.lowercased()
    let isElsewhere =
      Self.isOfOneMachine(server) && !hosts.contains(server) && !loopback.contains(server)
    if !isElsewhere { hosts.formUnion(loopback) }
  }
}
