import Foundation
import LinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// A message bus of a test's own: a `dbus-daemon` with a socket and a configuration in a temporary
/// folder. It ends with the object.
public final class PrivateBus: @unchecked Sendable {
  /// The path of the program in Debian's package dbus-daemon.
  private static let program = "/usr/bin/dbus-daemon"

  /// True where the program is installed; a test that needs it skips where it is not.
  public static var isInstalled: Bool {
    FileManager.default.isExecutableFile(atPath: program)
  }
  /// The comment of a skipped test.
  public static let absence = "dbus-daemon is not installed: sudo apt install dbus-daemon"

  /// The reason why the bus cannot be started.
  public struct Unavailable: Error, CustomStringConvertible {
    /// One line: what failed and why.
    public let description: String
  }

  /// A name to which this bus denies every message.
  public static let forbiddenService = "test.Forbidden"

  /// Where it listens, in D-Bus's notation.
  public var address: String { "unix:path=\(folder.path)/bus" }
  private let folder: URL
  private var daemon: ChildProcess?

  /// Starts a daemon, which listens when this returns.
  /// - Throws: If the daemon does not start.
  public init() throws {
    // A socket's path has room for 107 characters.
    folder = URL(fileURLWithPath: "/tmp/lodestar-bus-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(configuration.utf8).write(to: folder.appendingPathComponent("bus.conf"))
    try start()
  }

  deinit {
    stop()
    BuiltProgram.discard(folder)
  }

  private var configuration: String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
        <deny send_destination="\(Self.forbiddenService)"/>
      </policy>
    </busconfig>
    """
  }

  /// Starts the daemon again at the same address.
  /// - Throws: If it does not start.
  public func start() throws {
    // Seen once in some ten whole runs beside a build: it ends before it listens.
    for _ in 1...3 where try startOnce() { return }
    let errors = FileManager.default.contents(atPath: folder.path + "/errors") ?? Data()
    throw Unavailable(
      description: "dbus-daemon ended at once: \(String(decoding: errors, as: UTF8.self))")
  }

  /// Starts the daemon.
  /// - Returns: False where it ended before it listened.
  private func startOnce() throws -> Bool {
    BuiltProgram.discard(folder.appendingPathComponent("bus"))
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = [
      "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile", "--print-address=1",
    ]
    let output = Pipe()
    process.standardOutput = output
    // It complains about limits that only root may raise.
    let errors = folder.appendingPathComponent("errors")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.start(endingAfter: 300)
    daemon = process
    // It prints its address once it listens, and closes the pipe where it ends before.
    return !output.fileHandleForReading.availableData.isEmpty
  }

  /// Ends the daemon, and with it every connection.
  public func stop() {
    guard let daemon else { return }
    daemon.send(SIGKILL)
    daemon.waitOrKill()
    self.daemon = nil
  }

  /// Suspends the daemon, as on an overloaded machine: it does not answer.
  public func freeze() { daemon?.send(SIGSTOP) }

  /// Continues the daemon.
  public func thaw() { daemon?.send(SIGCONT) }
}
