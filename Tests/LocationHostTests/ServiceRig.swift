import Board
import Foundation
import HostClient
import HostProtocol
import LinuxIO
import LocationHost
import Monitoring
import Quantities
import ScriptedSource
import Servers
import TestSupport

/// The log lines of a daemon.
final class LoggedLines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  var all: [String] { lock.withLock { lines } }
  var log: HostLog {
    HostLog { [self] priority, text in
      lock.withLock { lines.append("<\(priority.rawValue)>\(text)") }
    }
  }
}

/// A daemon in the test process with a scripted source.
final class ServiceRig: @unchecked Sendable {
  let folder: TemporaryFolder
  let publisher: ScriptedPublisher
  let logged = LoggedLines()
  /// The demands that the source received.
  let demands = Collected<FixDemand>()
  private(set) var daemon: Daemon
  let configuration: ServeConfiguration
  let environment: [String: String]
  private let opening: SourceOpening
  private let stateFiles: any FileOperations

  init(
    _ publisher: ScriptedPublisher = ScriptedPublisher(), isLive: Bool = true, policy: String = "",
    stateFiles: any FileOperations = LinuxFiles(),
    change: (inout ServeConfiguration) -> Void = { _ in }
  ) throws {
    self.stateFiles = stateFiles
    folder = try TemporaryFolder()
    self.publisher = publisher
    var configuration = ServeConfiguration(
      socketPath: folder.path + "/s", stateFolder: folder.path + "/state")
    configuration.policyFolder = folder.path + "/policy"
    // The launcher appends its arguments to a file.
    let script = folder.path + "/launch"
    try "#!/bin/sh\necho \"$*\" >> \(folder.path)/launched\n".write(
      toFile: script, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    configuration.launcher = script
    change(&configuration)
    self.configuration = configuration
    environment = ["LODESTAR_SOCKET": configuration.socketPath]
    opening = SourceOpening(isLive: isLive) { [demands] () throws(SourceError) in
      var source = OpenedSource(publisher: publisher)
      source.setReceiverDemand = { demands.add($0) }
      return source
    }
    try Self.write(policy, folder)
    daemon = try Daemon(
      opening, configuration: configuration, environment: environment, log: logged.log,
      stateFiles: stateFiles)
    daemon.start()
  }

  private static func write(_ policy: String, _ folder: TemporaryFolder) throws {
    let path = folder.path + "/policy"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try policy.write(toFile: path + "/a.yaml", atomically: true, encoding: .utf8)
  }

  /// Replaces the policy; the daemon reads it on `reload`.
  func setPolicy(_ text: String) throws { try Self.write(text, folder) }

  /// Starts a new daemon at the same socket and state after the previous one has ended. A child of
  /// a parallel test may hold that one's socket between fork and exec.
  /// - Parameter beforeStart: Runs while the new daemon's socket accepts connections that nothing
  ///   serves yet.
  /// - Throws: Where the daemon cannot be made, and what `beforeStart` throws.
  func restart(beforeStart: () throws -> Void = {}) throws {
    var next: Daemon?
    _ = eventually {
      next = try? Daemon(
        opening, configuration: configuration, environment: environment, log: logged.log,
        stateFiles: stateFiles)
      return next != nil
    }
    daemon =
      try next
      ?? Daemon(
        opening, configuration: configuration, environment: environment, log: logged.log,
        stateFiles: stateFiles)
    try beforeStart()
    daemon.start()
  }

  /// A client, connected after the source is open.
  func client(_ application: String = "org.example.app") throws -> HostClient {
    _ = eventually { self.publisher.observerCount > 0 }
    return try HostClient(application: application, client: "test", environment: environment)
  }

  /// The arguments of each call of the launcher.
  var launched: [String] {
    let text = FileManager.default.contents(atPath: folder.path + "/launched") ?? Data()
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// A raw connection, for messages that `HostClient` never sends.
final class RawClient {
  private let socket: StreamSocket
  private var input = LineBuffer(limit: LineLimit.reply)

  init(_ rig: ServiceRig) throws {
    socket = try StreamSocket(path: rig.configuration.socketPath)
  }

  func send(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      do throws(NetworkError) {
        bytes = bytes.dropFirst(try socket.write(bytes))
      } catch {
        guard error.kind == .closed else { throw error }
        return
      }
    }
  }

  /// The next line; nil when the connection is closed or after `seconds`.
  func line(within seconds: Double = 5) throws -> String? {
    let end = Date(timeIntervalSinceNow: seconds)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while Date() < end {
      if let line = try input.next() { return String(decoding: line, as: UTF8.self) }
      do throws(NetworkError) {
        let count = try socket.read(into: &buffer)
        if count == 0 { Thread.sleep(forTimeInterval: 0.005) }
        buffer.withUnsafeBytes { input.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      } catch {
        guard error.kind == .closed else { throw error }
        return nil
      }
    }
    return nil
  }

  /// The next line with a word; nil where the connection is closed, or after 5 s without a line.
  func line(with word: String) throws -> String? {
    while let line = try line() {
      if line.contains(word) { return line }
    }
    return nil
  }

  /// Waits until the daemon closes the connection; false after a timeout.
  func isClosed() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return eventually {
      do {
        _ = try socket.read(into: &buffer)
        return false
      } catch {
        return true
      }
    }
  }
}
