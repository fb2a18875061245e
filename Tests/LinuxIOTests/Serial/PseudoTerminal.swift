import Chips
import Foundation
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A pair of terminals of the kernel: bytes written at one end arrive at the other. The far end is
/// raw, so that only the port under test may change a byte.
final class PseudoTerminal {
  let path: String
  private var master: Int32

  init() throws {
    master = -1
    var far: Int32 = -1
    var name = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard openpty(&master, &far, &name, nil, nil) == 0 else { throw Failure(code: errno) }
    // The port under test opens it again.
    Glibc.close(far)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { close() }

  func close() {
    if master >= 0 { Glibc.close(master) }
    master = -1
  }

  func write(_ bytes: [UInt8]) throws {
    guard Glibc.write(master, bytes, bytes.count) == bytes.count else { throw Failure(code: errno) }
  }

  /// Reads `count` bytes, with a timeout.
  func read(_ count: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 512)
    while all.count < count {
      var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 20_000) > 0 else { throw Failure(code: ETIMEDOUT) }
      let n = Glibc.read(master, &buffer, min(buffer.count, count - all.count))
      guard n > 0 else { throw Failure(code: errno) }
      all += buffer[..<n]
    }
    return all
  }

  /// Whether bytes wait to be read here, such as an echo.
  var hasBytes: Bool {
    var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLIN) != 0
  }

  /// The terminal's settings, read at this end.
  func settings() throws -> termios {
    var settings = termios()
    guard tcgetattr(master, &settings) == 0 else { throw Failure(code: errno) }
    return settings
  }

  struct Failure: Error { let code: Int32 }
}

/// A folder used as `/dev`, `/sys` or `/proc`; removed in `deinit`.
final class TemporaryFolder {
  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
    var template = Array("\(parent)/lodestar-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw PseudoTerminal.Failure(code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { _ = error }
  }

  @discardableResult
  func file(_ name: String, _ text: String = "") throws -> String {
    try folders(of: name)
    let whole = "\(path)/\(name)"
    let file = open(whole, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw PseudoTerminal.Failure(code: errno) }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard write(file, bytes, bytes.count) == bytes.count else {
      throw PseudoTerminal.Failure(code: errno)
    }
    return whole
  }

  func link(_ name: String, to target: String) throws {
    try folders(of: name)
    guard symlink(target, "\(path)/\(name)") == 0 else {
      throw PseudoTerminal.Failure(code: errno)
    }
  }

  private func folders(of name: String) throws {
    var whole = path
    for part in name.split(separator: "/").dropLast() {
      whole += "/\(part)"
      if mkdir(whole, 0o755) != 0 && errno != EEXIST {
        throw PseudoTerminal.Failure(code: errno)
      }
    }
  }
}

/// The error of a call. (`#expect(throws:)` returns it only since Swift 6.1.)
func failure(_ body: () throws -> Void) throws -> BusError {
  do { try body() } catch let error as BusError { return error }
  throw NothingThrown()
}

struct NothingThrown: Error {}

extension Timestamp {
  /// An instant that has passed.
  static var past: Timestamp { Timestamp(nanoseconds: 0) }
}
