import Chips
import Foundation
import LinuxIO
import Quantities
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Serial ports of the kernel, on pseudo-terminals", .timeLimit(.minutes(30)))
struct LinuxSerialPortTests {
  /// A long timeout; reached only by a failing test.
  private var farDeadline: Timestamp {
    MonotonicClock.now.advanced(byNanoseconds: 20_000_000_000)
  }

  private func read(_ count: Int, from port: LinuxSerialPort) throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 100)
    while all.count < count {
      let n = try buffer.withUnsafeMutableBytes { try port.read(into: $0, until: farDeadline) }
      if n == 0 { break }
      all += buffer[..<n]
    }
    return all
  }

  private func write(_ bytes: [UInt8], to port: LinuxSerialPort) throws {
    try bytes.withUnsafeBytes { try port.write($0) }
  }

  @Test("all 256 values of a byte pass unchanged both ways, and nothing is echoed")
  func everyByte() throws {
    let terminal = try PseudoTerminal()
    let port = try LinuxSerialPort(path: terminal.path, baud: 9600)
    let values = (0...255).map(UInt8.init)
    try terminal.write(values)
    #expect(try read(256, from: port) == values)
    #expect(!terminal.hasBytes)
    try write(values, to: port)
    #expect(try terminal.read(256) == values)
  }

  @Test("more than the kernel's buffer is written completely")
  func longWrite() throws {
    let terminal = try PseudoTerminal()
    let port = try LinuxSerialPort(path: terminal.path, baud: 115_200)
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    // A separate thread: the pool of tasks may be busy with other tests for longer than the
    // timeout.
    let reader = FarReader(terminal, count: bytes.count)
    try write(bytes, to: port)
    #expect(try reader.value() == bytes)
  }

  @Test("a read returns nothing once its deadline has passed, and not before")
  func deadline() throws {
    let terminal = try PseudoTerminal()
    let port = try LinuxSerialPort(path: terminal.path, baud: 9600)
    var buffer = [UInt8](repeating: 0, count: 8)
    let past = try buffer.withUnsafeMutableBytes { try port.read(into: $0, until: .past) }
    #expect(past == 0)
    let deadline = MonotonicClock.now.advanced(byNanoseconds: 30_000_000)
    let count = try buffer.withUnsafeMutableBytes { try port.read(into: $0, until: deadline) }
    #expect(count == 0)
    #expect(MonotonicClock.now >= deadline)
  }

  @Test("received bytes are read although the deadline has passed")
  func lateRead() throws {
    let terminal = try PseudoTerminal()
    let port = try LinuxSerialPort(path: terminal.path, baud: 9600)
    try terminal.write([1, 2, 3])
    var buffer = [UInt8](repeating: 0, count: 8)
    // The kernel delivers the bytes later, so the first check may be too early.
    #expect(try read(1, from: port).first == 1)
    try terminal.write([4])
    let first = try buffer.withUnsafeMutableBytes { try port.read(into: $0, until: farDeadline) }
    #expect(first >= 1)
    let second = try buffer.withUnsafeMutableBytes { try port.read(into: $0, until: .past) }
    #expect(second == 0)
  }

  @Test("an open port cannot be opened a second time, until it is closed")
  func exclusive() throws {
    let terminal = try PseudoTerminal()
    do {
      let port = try LinuxSerialPort(path: terminal.path, baud: 9600)
      let failure = try failure { _ = try LinuxSerialPort(path: terminal.path, baud: 9600) }
      #expect(failure.kind == .inUse("another program"))
      try terminal.write([7])
      #expect(try read(1, from: port) == [7])
    }
    _ = try LinuxSerialPort(path: terminal.path, baud: 9600)
  }

  @Test("a refused second opening does not change the settings")
  func refusalIsHarmless() throws {
    let terminal = try PseudoTerminal()
    let port = try LinuxSerialPort(path: terminal.path, baud: 9600)
    _ = try failure { _ = try LinuxSerialPort(path: terminal.path, baud: 4800) }
    var settings = try terminal.settings()
    #expect(cfgetospeed(&settings) == speed_t(B9600))
    #expect(port.baud == 9600)
  }

  @Test("closing the port restores its settings")
  func restored() throws {
    let terminal = try PseudoTerminal()
    var before = try terminal.settings()
    #expect(before.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON))
    do {
      let port = try LinuxSerialPort(path: terminal.path, baud: 4800)
      try port.setBaud(57_600)
      var during = try terminal.settings()
      #expect(during.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
      #expect(cfgetospeed(&during) == speed_t(B57600))
      #expect(port.baud == 57_600)
    }
    var after = try terminal.settings()
    #expect(after.c_lflag == before.c_lflag)
    #expect(after.c_iflag == before.c_iflag)
    #expect(cfgetospeed(&after) == cfgetospeed(&before))
  }

  @Test("every listed speed is accepted, and no other")
  func speeds() throws {
    let terminal = try PseudoTerminal()
    let port = try LinuxSerialPort(path: terminal.path, baud: 1200)
    for baud in LinuxSerialPort.speeds {
      try port.setBaud(baud)
      #expect(port.baud == baud)
    }
    let failure = try failure { try port.setBaud(12_345) }
    guard case .unsupported(let what) = failure.kind else {
      Issue.record("\(failure)")
      return
    }
    #expect(what.contains("12345 baud"))
    #expect(what.contains("115200"))
    #expect(port.baud == 4_000_000)
  }

  @Test("a port with a closed other end is disconnected, after the received bytes were read")
  func unplugged() throws {
    let terminal = try PseudoTerminal()
    let port = try LinuxSerialPort(path: terminal.path, baud: 9600)
    try terminal.write([42])
    #expect(try read(1, from: port) == [42])
    terminal.close()
    #expect(try failure { _ = try read(1, from: port) }.kind == .disconnected)
    #expect(try failure { try write([1], to: port) }.kind == .disconnected)
  }

  @Test("a file that is no serial port is distinguished from a missing one")
  func notAPort() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("port")
    let noPort = BusError.Kind.unsupported("not a serial port")
    #expect(try failure { _ = try LinuxSerialPort(path: file, baud: 9600) }.kind == noPort)
    #expect(try failure { _ = try LinuxSerialPort(path: folder.path, baud: 9600) }.kind == noPort)
    let missing = try failure { _ = try LinuxSerialPort(path: "\(folder.path)/no", baud: 9600) }
    #expect(missing.kind == .missing)
    #expect(missing.device == "\(folder.path)/no")
  }
}

/// Reads the other end of a terminal on a separate thread.
private final class FarReader: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var result: Result<[UInt8], any Error> = .success([])

  init(_ terminal: PseudoTerminal, count: Int) {
    nonisolated(unsafe) let far = terminal
    let thread = Thread { [self] in
      result = Result { try far.read(count) }
      done.signal()
    }
    thread.start()
  }

  func value() throws -> [UInt8] {
    done.wait()
    return try result.get()
  }
}
