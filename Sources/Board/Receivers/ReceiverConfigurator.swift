import Chips
import Configuration
import LinuxIO
import Quantities
import ReceiverProtocols

/// Sets up the receiver at a port outside the board: opens the port, finds its speed and the
/// receiver's maker, and runs one task. For a command that a person started.
package struct ReceiverConfigurator {
  /// Timeout of a read while an answer is awaited, ns; bounds the delay of a stop.
  private static let longestWait: UInt64 = 100_000_000
  /// Speeds at which a receiver that sends nothing is asked.
  private static let askedSpeeds = [115_200, 9600, 38_400, 460_800]

  private let hardware: any BoardHardware
  private let port: any SerialPort
  private let path: String
  private let isStopped: () -> Bool

  /// Opens a port of this machine.
  /// - Parameters:
  ///   - path: The port.
  ///   - baud: Its speed; nil to detect it.
  ///   - isStopped: True once the person wants to stop.
  /// - Throws: `BusError`, also where another program has the port.
  package init(path: String, baud: Int?, isStopped: @escaping () -> Bool) throws(BusError) {
    hardware = LinuxHardware()
    (self.path, self.isStopped) = (path, isStopped)
    port = try hardware.serialPort(path, baud: baud ?? BaudRateDetector.speeds[0])
  }

  /// The present speed of the port, bits per second.
  package var baud: Int { port.baud }

  /// Finds the speed by reading, and where nothing is read by asking.
  /// - Parameter show: Called with the progress.
  /// - Returns: False where the receiver neither sends nor answers at any speed.
  /// - Throws: `BusError` if the port was removed.
  package func findSpeed(_ show: (String) -> Void) throws(BusError) -> Bool {
    guard !Board.isOnBus(path) else { return true }
    show("\(path): listening")
    let detector = BaudRateDetector(hardware: hardware, isStopped: isStopped)
    if try detector.speed(of: port, trying: BaudRateDetector.speeds) != nil { return true }
    for speed in Self.askedSpeeds where !isStopped() {
      show("\(path): asking at \(speed) baud")
      try port.setBaud(speed)
      var setup = ReceiverSetup(ReceiverSettings(), port: UBXPort(path: path), speed: speed)
      // One round of questions is enough for a line that is silent.
      let end = hardware.now.advanced(bySeconds: 4.5)
      try run(&setup, until: end, isDone: { $0.hasAnswered }) { _ in }
      if setup.hasAnswered { return true }
    }
    return false
  }

  /// Runs a task.
  /// - Parameters:
  ///   - settings: The requested settings.
  ///   - task: What to do.
  ///   - earlier: The settings before an earlier change.
  ///   - earlierIdentity: The receiver that had them.
  ///   - progress: Called after each step, so that what was replaced can be stored.
  /// - Returns: The set-up at its end, or where the person stopped it.
  /// - Throws: `BusError` if the port was removed.
  package func run(
    _ settings: ReceiverSettings, task: ReceiverSetup.Task,
    earlier: ReceiverOriginals = ReceiverOriginals(), earlierIdentity: String? = nil,
    _ progress: (ReceiverSetup) -> Void
  ) throws(BusError) -> ReceiverSetup {
    var setup = ReceiverSetup(
      settings, task: task, port: UBXPort(path: path), speed: port.baud, earlier: earlier,
      earlierIdentity: earlierIdentity,
      makers: Board.isOnBus(path) ? [.ublox] : ReceiverMaker.allCases)
    try run(&setup, until: nil, isDone: { _ in false }, progress)
    return setup
  }

  private func run(
    _ setup: inout ReceiverSetup, until end: Timestamp?, isDone: (ReceiverSetup) -> Bool,
    _ progress: (ReceiverSetup) -> Void
  ) throws(BusError) {
    while !isStopped(), !isDone(setup) {
      var wake = hardware.now.advanced(byNanoseconds: Self.longestWait)
      if let end, hardware.now >= end { return }
      switch setup.next(at: hardware.now) {
      case .send(let bytes):
        try write(bytes)
        progress(setup)
        wake = hardware.now
      case .changeSpeed(let speed):
        try read(until: hardware.now, into: &setup)
        try port.setBaud(speed)
        wake = hardware.now
      case .wait(let until): wake = min(wake, until)
      case .rest:
        progress(setup)
        return
      }
      try read(until: wake, into: &setup)
    }
  }

  private func write(_ bytes: [UInt8]) throws(BusError) {
    // A typed error does not pass through the standard library's closures.
    var failure: BusError?
    bytes.withUnsafeBytes { bytes in
      do throws(BusError) { try port.write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func read(until wake: Timestamp, into setup: inout ReceiverSetup) throws(BusError) {
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = try Self.read(port, &buffer, until: wake)
      guard count > 0 else { return }
      let now = hardware.now
      buffer[..<count].withUnsafeBytes { setup.receive($0, at: now) }
      if now >= wake || count < buffer.count { return }
    }
  }

  private static func read(
    _ port: any SerialPort, _ buffer: inout [UInt8], until deadline: Timestamp
  ) throws(BusError) -> Int {
    // A typed error does not pass through the standard library's closures.
    var failure: BusError?
    let count = buffer.withUnsafeMutableBytes { bytes -> Int in
      do throws(BusError) {
        return try port.read(into: bytes, until: deadline)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return count
  }
}
