import BoardFile
import Bus
import LinuxBus
import Quantities
import ReceiverProtocols

/// Asks whether a gpsd daemon is there: it tells its version to whoever connects. No device is opened by
/// that; where systemd starts gpsd on demand, it starts.
enum GPSDProbe {
  /// How long the daemon may take, ns.
  private static let patience: UInt64 = 500_000_000

  /// The daemon's release, such as `3.22`; nil where none answers.
  static func release(of address: GPSDAddress) -> String? {
    let deadline = MonotonicClock.now.advanced(byNanoseconds: patience)
    var decoder = GPSDDecoder()
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: GPSDDecoder.longestLine, alignment: 1)
    defer { room.deallocate() }
    do throws(NetworkError) {
      let stream = try TCPStream(host: address.host, port: address.port, until: deadline)
      while decoder.version == nil {
        let count = try stream.read(into: room, until: deadline)
        guard count > 0 else { return nil }
        decoder.push(UnsafeRawBufferPointer(rebasing: room[..<count]), at: deadline) { _ in }
      }
    } catch {
      // Nobody listens, or somebody else: no daemon of ours.
      return nil
    }
    return decoder.version.map { String(decoding: $0.release, as: UTF8.self) }
  }
}

extension BoardFinder {
  /// The chips that are attached, without asking any serial port: by the file that matches best, else as they
  /// were found; without any where there are none. With them the buses that could not be looked at.
  func chips() -> (board: Board, faults: [BusError]) {
    let inventory = inventory()
    var board =
      inventory.matches.first { !$0.isAmbiguous }?.board
      ?? Board(findings: inventory.findings, port: nil)
    board.receiver = nil
    return (board, inventory.faults)
  }
}
