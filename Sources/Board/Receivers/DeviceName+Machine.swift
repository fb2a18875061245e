import LinuxIO
import ReceiverProtocols

extension DeviceName {
  /// The NAME of this machine's Lodestar on a bus of NMEA 2000.
  package static var ofThisMachine: DeviceName {
    DeviceName(machine: MachineIdentity.identifier.utf8)
  }
}
