import CLinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// A CAN interface of the kernel (SocketCAN). Each read and each write of its socket is one frame,
/// the 16 bytes of the kernel's `struct can_frame`.
package enum CANInterface {
  /// The greatest length of a name, bytes, as the kernel has it.
  private static let mostInName = 15
  /// Characters of a Unix socket's path.
  /// - Source: unix(7).
  private static let mostInPath = 107
  /// The type of CAN interfaces in `/sys/class/net/NAME/type`.
  /// - Source: Linux, `include/uapi/linux/if_arp.h`, ARPHRD_CAN.
  package static let type = 280

  /// Whether a text can be the name of an interface, or is an absolute path.
  package static func isName(_ text: String) -> Bool {
    text.hasPrefix("/") && text.utf8.count <= mostInPath
      || !text.isEmpty && text.utf8.count <= mostInName && ![".", ".."].contains(text)
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
  }

  /// Finds the CAN interfaces of a machine.
  /// - Parameter folder: The folder used as `/sys/class/net`.
  /// - Returns: Their names, sorted.
  package static func names(in folder: String = "/sys/class/net") -> [String] {
    SystemFiles.names(in: folder).filter {
      SystemFiles.line(of: "\(folder)/\($0)/type") == "\(type)"
    }.sorted()
  }
}

extension StreamSocket {
  /// Opens a CAN interface for the frames of some parameter groups of NMEA 2000, or connects to a
  /// Unix socket of another program that has the bus, whose bytes are the same structures.
  /// - Parameters:
  ///   - interface: Its name, such as `can0`, or the absolute path of the socket.
  ///   - groups: The numbers of the groups; those whose second byte is below 240 have a destination
  ///     in the lowest byte, and any is received.
  /// - Throws: `NetworkError`.
  package convenience init(can interface: String, groups: [UInt32]) throws(NetworkError) {
    if interface.hasPrefix("/") {
      try self.init(path: interface)
      return
    }
    let masks = groups.map { $0 >> 8 & 0xFF < 240 ? UInt32(0x3_FF00) << 8 : UInt32(0x3_FFFF) << 8 }
    let file = linuxbus_can_open(interface, groups.map { $0 << 8 }, masks, UInt32(groups.count))
    guard file >= 0 else {
      throw NetworkError(code: -file, doing: "opening the CAN interface", peer: interface)
    }
    self.init(file: file, peer: interface)
  }
}

extension NetworkError {
  /// Why a CAN interface cannot be used and what to do, without its name.
  package var reasonOfCAN: String {
    switch code {
    case ENODEV, ENXIO:
      "no such CAN interface; check the overlay of the adapter (dtoverlay=mcp2515-can0) and 'ip link'"
    case ENETDOWN:
      "the CAN interface is down; 'sudo ip link set \(peer) up type can bitrate 250000'"
    case EAFNOSUPPORT, EPROTONOSUPPORT:
      "the kernel has no CAN, or the service may not use it; 'sudo modprobe can-raw', and AF_CAN in "
        + "RestrictAddressFamilies of the unit"
    default: reason
    }
  }

  /// Whether the queue of a CAN interface is full: frames are sent more slowly than they come, or no
  /// other device acknowledges them.
  package var isFullQueue: Bool { code == ENOBUFS }
}
