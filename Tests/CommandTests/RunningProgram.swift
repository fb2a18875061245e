import Foundation
import LinuxIO
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// A program that runs until the test ends it; it is killed and its files are removed with this
/// object.
final class RunningProgram {
  private let process = ChildProcess()
  private let folder: URL

  /// Starts a program.
  init(_ program: BuiltProgram, _ arguments: [String], environment: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["out", "err"] { try Data().write(to: folder.appendingPathComponent(name)) }
    process.executableURL = URL(fileURLWithPath: program.path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(
      forWritingTo: folder.appendingPathComponent("out"))
    process.standardError = try FileHandle(
      forWritingTo: folder.appendingPathComponent("err"))
    try process.start(endingAfter: 300)
  }

  deinit {
    if process.isRunning { end(SIGKILL) }
    do { try FileManager.default.removeItem(at: folder) } catch { print("left: \(folder.path)") }
  }

  var pid: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }
  var errors: String { text("err") }
  var output: String { text("out") }

  /// True once the program has a handler for a signal.
  /// - Source: proc_pid_status(5), SigCgt: one bit a signal, from 1.
  func catches(_ number: Int32) -> Bool {
    let data = FileManager.default.contents(atPath: "/proc/\(pid)/status") ?? Data()
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("SigCgt:")
    }
    let mask = line.flatMap { UInt64($0.dropFirst("SigCgt:\t".count), radix: 16) } ?? 0
    return mask & (1 << UInt64(number - 1)) != 0
  }

  private func text(_ name: String) -> String {
    let data = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// Ends the program with a signal and waits.
  @discardableResult
  func end(_ number: Int32) -> Int32 {
    process.send(number)
    process.waitOrKill()
    return process.terminationStatus
  }

  /// Ends the program with a signal and waits.
  /// - Returns: How it has ended: `status 0`, or `signal 9` where the test had to kill it.
  func ending(by number: Int32) -> String {
    let status = end(number)
    return process.terminationReason == .exit ? "status \(status)" : "signal \(status)"
  }

  /// Waits until the program ends by itself.
  /// - Returns: The exit status; nil at the timeout.
  func status(within seconds: Double) -> Int32? {
    process.wait(atMost: seconds) ? process.terminationStatus : nil
  }
}

/// A test's end of a Unix socket: lines over a stream, or received datagrams.
final class TestSocket {
  private let file: Int32
  private var waiting: [UInt8] = []

  struct Unavailable: Error {}

  /// Connects to a stream.
  init(connectingTo path: String) throws {
    file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard Self.withAddress(path, { connect(file, $0, $1) }) == 0 else { throw Unavailable() }
  }

  /// Receives datagrams.
  init(datagramsAt path: String) throws {
    file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard Self.withAddress(path, { bind(file, $0, $1) }) == 0 else { throw Unavailable() }
  }

  deinit { close(file) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// The next line that contains a word; nil at the timeout.
  func line(with word: String, within seconds: Double = 10) -> String? {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      while let newline = waiting.firstIndex(of: 10) {
        let line = String(decoding: waiting[..<newline], as: UTF8.self)
        waiting.removeFirst(newline + 1)
        if line.contains(word) { return line }
      }
      guard let bytes = received() else { return nil }
      waiting += bytes
    }
    return nil
  }

  /// All received datagrams.
  func datagrams() -> [String] {
    var all: [String] = []
    while let bytes = received(milliseconds: 0), !bytes.isEmpty {
      all.append(String(decoding: bytes, as: UTF8.self))
    }
    return all
  }

  /// The received bytes; nil at the end of the stream.
  private func received(milliseconds: Int32 = 50) -> [UInt8]? {
    var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(file, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
