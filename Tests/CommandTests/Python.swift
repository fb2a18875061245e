import Foundation
import LinuxIO
import TestSupport
import Testing

/// Runs the reference data's tools, which are in Python.
enum Python {
  static func run(_ script: String, _ arguments: [String]) throws {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script] + arguments
    process.standardOutput = FileHandle.standardError
    try process.start()
    process.waitOrKill()
    #expect(process.terminationStatus == 0, "\(script)")
  }
}
