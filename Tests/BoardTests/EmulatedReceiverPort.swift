import Foundation
import LinuxIO
import Quantities
import Simulation

#if canImport(Glibc)
  import Glibc
#endif

/// An emulated receiver at the end of a pseudo-terminal, whose path can be removed and restored.
/// Data at another speed than the other end's arrives as noise.
final class EmulatedReceiverPort: @unchecked Sendable {
  /// The path of the port.
  let path: String
  private let folder: String
  private let lock = NSLock()
  private var receiver: EmulatedUBloxReceiver
  private var master: Int32 = -1
  private var isStopped = false
  private let began = MonotonicClock.now
  private var heardCount = 0

  struct Failure: Error { let code: Int32 }

  init(_ receiver: EmulatedUBloxReceiver) throws {
    self.receiver = receiver
    let parent = FileManager.default.temporaryDirectory
    let place = parent.appendingPathComponent("lodestar-receiver-\(UUID())")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    folder = place.path
    path = place.appendingPathComponent("port").path
    try plugIn()
    let thread = Thread { [weak self] in
      while self?.turn() == true { Thread.sleep(forTimeInterval: 0.005) }
    }
    thread.start()
  }

  func stop() {
    lock.withLock { isStopped = true }
    pullOut()
    do { try FileManager.default.removeItem(atPath: folder) } catch { _ = error }
  }

  /// The bytes that have arrived from the host.
  var heard: Int { lock.withLock { heardCount } }

  /// The receiver's present state.
  var now: EmulatedUBloxReceiver { lock.withLock { receiver } }

  func change(_ body: (inout EmulatedUBloxReceiver) -> Void) { lock.withLock { body(&receiver) } }

  /// Removes the port.
  func pullOut() {
    lock.withLock {
      if master >= 0 { close(master) }
      master = -1
      unlink(path)
    }
  }

  /// Restores the port.
  func plugIn() throws {
    var far: Int32 = -1
    var near: Int32 = -1
    var name = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard openpty(&near, &far, &name, nil, nil) == 0 else { throw Failure(code: errno) }
    // No echo before the port is opened.
    var settings = termios()
    tcgetattr(far, &settings)
    cfmakeraw(&settings)
    tcsetattr(far, TCSANOW, &settings)
    close(far)
    guard fcntl(near, F_SETFL, O_NONBLOCK) == 0 else { throw Failure(code: errno) }
    let target = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard symlink(target, path) == 0 else { throw Failure(code: errno) }
    lock.withLock { master = near }
  }

  /// Writes and reads once; false after a stop.
  private func turn() -> Bool {
    lock.withLock {
      guard !isStopped else { return false }
      guard master >= 0 else { return true }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(master, &bytes, bytes.count)
      heardCount += max(0, count)
      if count > 0, hostSpeed == receiver.baud {
        for burst in receiver.receive(Array(bytes[..<count])) { say(burst) }
      }
      if let burst = receiver.output(at: MonotonicClock.now.seconds(since: began)) { say(burst) }
      return true
    }
  }

  private func say(_ burst: EmulatedUBloxReceiver.Burst) {
    // At another speed the high bits are certainly wrong.
    let bytes = hostSpeed == burst.baud ? burst.bytes : burst.bytes.map { $0 | 0x80 }
    _ = write(master, bytes, bytes.count)
  }

  /// The speed set at the other end.
  private var hostSpeed: Int {
    var settings = termios()
    guard tcgetattr(master, &settings) == 0 else { return 0 }
    let speed = cfgetospeed(&settings)
    return [9600: B9600, 38_400: B38400, 115_200: B115200, 230_400: B230400]
      .first { speed_t($0.value) == speed }?.key ?? 0
  }
}
