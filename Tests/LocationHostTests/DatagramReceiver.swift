import Foundation

/// A UDP socket of the loopback address at a free port.
final class DatagramReceiver {
  struct Failure: Error {
    var code: Int32
  }

  let file: Int32
  let port: Int

  init() throws {
    file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let file = file
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, length) == 0 && getsockname(file, $0, &length) == 0 ? 0 : errno
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard code == 0 else { throw Failure(code: code) }
  }

  deinit { close(file) }

  /// The next datagram; nil where none arrives within some milliseconds.
  func next(within milliseconds: Int32) -> [UInt8]? {
    var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, milliseconds) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(file, &buffer, buffer.count, 0)
    return count >= 0 ? Array(buffer[..<count]) : nil
  }
}
