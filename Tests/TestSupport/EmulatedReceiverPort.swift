import Foundation
import LinuxIO
internal import Quantities
import Simulation

#if canImport(Glibc)
  import Glibc
#endif

/// A receiver that is emulated at the end of a line.
public protocol EmulatedReceiver: Sendable {
  /// The present speed of its port, bits per second.
  var baud: Int { get }
  /// Receives bytes; the answers, each with the speed at which it is sent.
  mutating func answers(to bytes: [UInt8]) -> [(bytes: [UInt8], baud: Int)]
  /// What it sends by itself at an instant, seconds.
  mutating func output(at seconds: Double) -> (bytes: [UInt8], baud: Int)?
}

extension EmulatedUBloxReceiver: EmulatedReceiver {
  /// Receives bytes.
  public mutating func answers(to bytes: [UInt8]) -> [(bytes: [UInt8], baud: Int)] {
    receive(bytes).map { ($0.bytes, $0.baud) }
  }
  /// The messages of the solutions that are due.
  public mutating func output(at seconds: Double) -> (bytes: [UInt8], baud: Int)? {
    let burst: Burst? = output(at: seconds)
    return burst.map { ($0.bytes, $0.baud) }
  }
}

/// An emulated receiver at the end of a pseudo-terminal, whose path can be removed and restored.
/// Data at another speed than the other end's arrives as noise.
public final class EmulatedReceiverPort<Receiver: EmulatedReceiver>: @unchecked Sendable {
  /// The path of the port.
  public let path: String
  private let folder: String
  private let lock = NSLock()
  private var receiver: Receiver
  private var master: Int32 = -1
  private var isStopped = false
  private let began = MonotonicClock.now
  private var heardCount = 0

  /// Makes a pseudo-terminal and connects the receiver.
  public init(_ receiver: Receiver) throws {
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

  /// Ends the receiver and removes its port.
  public func stop() {
    lock.withLock { isStopped = true }
    pullOut()
    do { try FileManager.default.removeItem(atPath: folder) } catch { _ = error }
  }

  /// The bytes that have arrived from the host.
  public var heard: Int { lock.withLock { heardCount } }

  /// The receiver's present state.
  public var now: Receiver { lock.withLock { receiver } }

  /// Changes the receiver.
  public func change(_ body: (inout Receiver) -> Void) { lock.withLock { body(&receiver) } }

  /// Removes the port.
  public func pullOut() {
    lock.withLock {
      if master >= 0 { close(master) }
      master = -1
      unlink(path)
    }
  }

  /// Restores the port.
  public func plugIn() throws {
    var far: Int32 = -1
    var near: Int32 = -1
    var name = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard openpty(&near, &far, &name, nil, nil) == 0 else { throw EmulatedPortFailure(code: errno) }
    // No echo before the port is opened.
    var settings = termios()
    tcgetattr(far, &settings)
    cfmakeraw(&settings)
    tcsetattr(far, TCSANOW, &settings)
    close(far)
    guard fcntl(near, F_SETFL, O_NONBLOCK) == 0 else { throw EmulatedPortFailure(code: errno) }
    let target = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard symlink(target, path) == 0 else { throw EmulatedPortFailure(code: errno) }
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
        for burst in receiver.answers(to: Array(bytes[..<count])) { say(burst) }
      }
      if let burst = receiver.output(at: MonotonicClock.now.seconds(since: began)) { say(burst) }
      return true
    }
  }

  private func say(_ burst: (bytes: [UInt8], baud: Int)) {
    // At another speed the high bits are certainly wrong.
    let bytes = hostSpeed == burst.baud ? burst.bytes : burst.bytes.map { $0 | 0x80 }
    _ = write(master, bytes, bytes.count)
  }

  /// The speed set at the other end.
  private var hostSpeed: Int {
    var settings = termios()
    guard tcgetattr(master, &settings) == 0 else { return 0 }
    let speed = cfgetospeed(&settings)
    return [
      9600: B9600, 38_400: B38400, 57_600: B57600, 115_200: B115200, 230_400: B230400,
      460_800: B460800,
    ]
    .first { speed_t($0.value) == speed }?.key ?? 0
  }
}

/// A call of the kernel for a pseudo-terminal failed.
public struct EmulatedPortFailure: Error {
  /// The kernel's error number.
  public let code: Int32

  /// Makes a failure.
  public init(code: Int32) { self.code = code }
}
