import Board
import Doctor
import HostProtocol
import LinuxIO
import Quantities

/// The machine that is set up: its files and programs as the checks of `Doctor` see them, and what
/// is asked of its devices and its daemon.
package struct SetupMachine: Sendable {
  /// Files, users and programs.
  package var host: Machine
  /// The path of this program.
  package var program: String
  /// Runs a command at the terminal, where it may ask questions, to its end; returns its exit
  /// status, 127 where it is not installed.
  package var converse: @Sendable (_ words: [String]) -> Int32
  /// Scans the buses.
  package var inventory: @Sendable () -> BoardFinder.Inventory
  /// Listens at serial ports for a receiver.
  package var receivers: @Sendable (_ ports: [String]) -> [BoardFinder.PortFinding]
  /// The program that listens at a TCP port of this machine; nil for none.
  package var portOwner: @Sendable (_ port: Int) -> String?
  /// Asks the daemon for a heading, until a timeout.
  package var heading: @Sendable (_ seconds: Double) -> DaemonAnswer

  /// What the daemon answers.
  package enum DaemonAnswer: Sendable {
    /// No daemon can be used, and why.
    case none(String)
    /// It serves, and has no heading.
    case waiting(SourceDescription)
    /// Its newest estimate with a heading.
    case heading(Estimate)
  }

  /// Makes a machine.
  package init(
    host: Machine, program: String, converse: @escaping @Sendable ([String]) -> Int32,
    inventory: @escaping @Sendable () -> BoardFinder.Inventory,
    receivers: @escaping @Sendable ([String]) -> [BoardFinder.PortFinding],
    portOwner: @escaping @Sendable (Int) -> String?,
    heading: @escaping @Sendable (Double) -> DaemonAnswer
  ) {
    (self.host, self.program, self.converse) = (host, program, converse)
    (self.inventory, self.receivers, self.portOwner) = (inventory, receivers, portOwner)
    self.heading = heading
  }

  /// Keeps the results of the searches for chips and receivers: a second run takes the same.
  package mutating func cacheSearches() {
    let (scan, listen) = (inventory, receivers)
    let found = Locked<BoardFinder.Inventory?>(nil)
    inventory = {
      found.withLock { found in
        let inventory = found ?? scan()
        found = inventory
        return inventory
      }
    }
    let heard = Locked<[[String]: [BoardFinder.PortFinding]]>([:])
    receivers = { ports in
      heard.withLock { heard in
        let findings = heard[ports] ?? listen(ports)
        heard[ports] = findings
        return findings
      }
    }
  }

  var files: SetupFiles { SetupFiles(root: host.root) }

  /// The source checkout that the program was built in; nil for an installed program.
  var sources: String? {
    var folder = program.parentFolder
    while folder != folder.parentFolder {
      if host.exists(folder + "/Packaging/systemd/install-unit") { return folder }
      folder = folder.parentFolder
    }
    return nil
  }

  /// The text of a file of the program that is copied into `/etc`, such as `network.conf`: of the
  /// installed program, or of the source checkout; nil where there is none.
  func installedText(_ name: String) throws(SetupFault) -> String? {
    let installed = program.parentFolder.parentFolder + "/share/lodestar/\(name)"
    if let text = try files.text(of: installed) { return text }
    guard let sources else { return nil }
    return try files.text(of: sources + "/Packaging/systemd/\(name)")
  }

  /// The path of the daemon's unit; nil where none is installed.
  /// - Source: systemd.unit(5), the load path of system units.
  var unit: String? {
    ["/etc", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/systemd/system/lodestar.service" }
      .first(where: host.exists)
  }
}
