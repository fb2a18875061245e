import Chips
import Configuration
import LinuxIO
import Quantities
import ReceiverProtocols

/// Tests whether a gpsd daemon runs: it sends its version to each new client. The connection opens
/// no device, but starts a gpsd that systemd starts on demand.
enum GPSDProbe {
  /// Timeout of the answer, ns.
  private static let timeout: UInt64 = 500_000_000

  /// The daemon's release, such as `3.22`; nil where none answers, or Lodestar itself.
  static func release(of address: GPSDAddress) -> String? {
    let deadline = MonotonicClock.now.advanced(byNanoseconds: timeout)
    var decoder = GPSDDecoder()
    var bytes = [UInt8](repeating: 0, count: GPSDDecoder.longestLine)
    do throws(NetworkError) {
      let stream = try StreamSocket(
        host: address.host, port: Int(address.port), until: deadline)
      while decoder.version == nil {
        let count = try stream.read(into: &bytes, until: deadline)
        guard count > 0 else { return nil }
        bytes.withUnsafeBytes {
          decoder.push(UnsafeRawBufferPointer(rebasing: $0[..<count]), at: deadline) { _ in }
        }
      }
    } catch {
      // No program listens on the port, or it is not gpsd.
      return nil
    }
    guard decoder.version?.isLodestar == false else { return nil }
    return decoder.version.map { String(printable: $0.release) }
  }
}

extension BoardFinder {
  /// The attached chips, without access to a serial port: of the best matching file, else as found.
  /// Also returns the errors of buses that could not be scanned.
  package func chips() -> (board: Board, faults: [BusError]) {
    let inventory = inventory()
    var board =
      inventory.matches.first { !$0.isAmbiguous }?.board
      ?? Board(findings: inventory.findings, port: nil)
    board.receiver = nil
    return (board, inventory.faults)
  }
}
