import Foundation
import LinuxIO

/// A program of this package, built together with the tests.
public struct BuiltProgram: Sendable {
  /// Seconds after which a child that a test waits for is ended: long, since it only determines the
  /// duration of a failing test, and shorter than a test's own limit.
  public static let deadline = 600.0

  private let url: URL

  /// The path of the program.
  public var path: String { url.path }

  /// - Parameter path: The path of a program of the system.
  public init(at path: String) { url = URL(fileURLWithPath: path) }

  /// A program of the system's usual folders.
  /// - Parameter name: Its name.
  /// - Returns: nil where it is not installed.
  public static func installed(_ name: String) -> BuiltProgram? {
    ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }.map { BuiltProgram(at: $0) }
  }

  /// The result of a run.
  public struct Outcome: Sendable {
    /// The exit status, or the signal's number where one ended it.
    public let status: Int32
    /// True where the program ended by itself.
    public let exited: Bool
    /// Standard output.
    public let output: Data
    /// Standard error.
    public let errors: String
    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The lines of standard error.
    public var errorLines: [Substring] { errors.split(separator: "\n") }
  }

  /// - Parameter name: The product's name.
  public init(_ name: String) {
    // The test program is in the same build folder.
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    url = folder.appendingPathComponent(name)
  }

  private init(path: String) { url = URL(fileURLWithPath: path) }

  /// The system's shell.
  public static var shell: BuiltProgram { BuiltProgram(path: "/bin/sh") }

  /// Runs the program to its end.
  /// - Parameters:
  ///   - arguments: Its arguments.
  ///   - input: The content of standard input.
  ///   - environment: Additions to this process's environment.
  ///   - deadline: Seconds after which it is killed.
  /// - Returns: The exit status and the output.
  /// - Throws: Where it cannot be started.
  public func run(
    _ arguments: [String], input: Data = Data(), environment: [String: String] = [:],
    deadline: Double = BuiltProgram.deadline
  ) throws -> Outcome {
    let process = ChildProcess()
    process.executableURL = url
    process.arguments = arguments
    // Tests must not use a daemon of this machine.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["LODESTAR_SOCKET": "none"]) { $1 }.merging(environment) { $1 }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { Self.discard(folder) }
    // Files instead of pipes: a full pipe would block the program.
    let (i, o, e) = (
      folder.appendingPathComponent("in"), folder.appendingPathComponent("out"),
      folder.appendingPathComponent("err")
    )
    try input.write(to: i)
    try Data().write(to: o)
    try Data().write(to: e)
    process.standardInput = try FileHandle(forReadingFrom: i)
    process.standardOutput = try FileHandle(forWritingTo: o)
    process.standardError = try FileHandle(forWritingTo: e)
    try process.run()
    process.waitOrKill(after: deadline)
    return Outcome(
      status: process.terminationStatus, exited: process.terminationReason == .exit,
      output: try Data(contentsOf: o),
      errors: String(decoding: try Data(contentsOf: e), as: UTF8.self))
  }
}

extension BuiltProgram {
  /// Removes a file of a test; a missing one is no error.
  static func discard(_ url: URL) {
    do { try FileManager.default.removeItem(at: url) } catch CocoaError.fileNoSuchFile {} catch {
      FileHandle.standardError.write(Data("left behind: \(url.path): \(error)\n".utf8))
    }
  }
}

/// A temporary file, removed with this object.
public final class TemporaryFile: Sendable {
  /// The path of the file.
  public let path: String

  /// - Parameters:
  ///   - content: The content.
  ///   - suffix: The suffix of the name, with the dot.
  /// - Throws: Where it cannot be written.
  public init(_ content: Data, suffix: String) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())\(suffix)")
    try content.write(to: url)
    path = url.path
  }

  deinit { BuiltProgram.discard(URL(fileURLWithPath: path)) }
}
