import Configuration
import LinuxIO

/// The CAN interfaces of NMEA 2000 that the daemon's file or the board file names.
enum CANCheck {
  /// The bit of an interface that is up in `/sys/class/net/NAME/flags`.
  /// - Source: Linux, `include/uapi/linux/if.h`, IFF_UP.
  private static let isUp = 1

  static func findings(on machine: Machine) -> [MachineFinding] {
    let board = machine.board?.board
    let ports = (board?.receivers.map(\.port) ?? []) + (board?.compasses.compactMap(\.port) ?? [])
    let named = [machine.canInterface] + ports.map { CANAddress($0)?.interface }
    // A path names the socket of another program, not a CAN interface.
    return Set(named.compactMap { $0 }).filter { !$0.hasPrefix("/") }.sorted().map {
      finding($0, machine)
    }
  }

  private static func finding(_ interface: String, _ machine: Machine) -> MachineFinding {
    let folder = "/sys/class/net/\(interface)"
    guard machine.line("\(folder)/type") == "\(CANInterface.type)" else {
      return MachineFinding(
        .canMissing, .fault, "there is no CAN interface \(interface)",
        why: "NMEA 2000 is neither read nor written",
        remedy: .manual(
          "# a HAT with MCP2515: its overlay in /boot/firmware/config.txt, such as dtoverlay=mcp2515-can0,oscillator=12000000,interrupt=25",
          "ip link    # shows the names of the interfaces", then: .restart))
    }
    let flags = machine.line("\(folder)/flags").flatMap { Int($0.dropFirst(2), radix: 16) } ?? 0
    guard flags & isUp != 0 else {
      return MachineFinding(
        .canDown, .fault, "the CAN interface \(interface) is down",
        why: "NMEA 2000 is neither read nor written",
        remedy: .manual(
          "sudo ip link set \(interface) up type can bitrate 250000    # until the next start; see Documentation/NMEA2000.md"
        ))
    }
    return .ok(.can, "the CAN interface \(interface) is up")
  }
}
