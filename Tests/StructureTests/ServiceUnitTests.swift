import Foundation
import TestSupport
import Testing

@Suite("The daemon's unit")
struct ServiceUnitTests {
  private static let path = "Packaging/systemd/lodestar.service"
  private static let analyzer = "/usr/bin/systemd-analyze"

  /// The values of the keys of all sections, in the order of the file.
  private func values() throws -> [String: [String]] {
    let unit = SharedData.repository.appendingPathComponent(Self.path)
    let text = try String(contentsOf: unit, encoding: .utf8)
    var values: [String: [String]] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      values[String(parts[0]), default: []].append(String(parts[1]))
    }
    return values
  }

  @Test("limits memory, tasks and files")
  func limits() throws {
    let values = try values()
    for key in ["MemoryMax", "TasksMax", "LimitNOFILE"] {
      #expect(values[key]?.count == 1, "\(key)")
    }
    // A client of the largest `most-clients` each has a socket.
    let files = try #require(values["LimitNOFILE"]?.first.flatMap { Int($0) })
    #expect(files > 2 * 1024)
  }

  @Test("admits the devices and sockets that the daemon uses")
  func access() throws {
    let values = try values()
    for device in [
      "char-i2c", "char-ttyS", "char-ttyAMA", "char-ttyUSB", "char-ttyACM", "char-gpiochip",
      "char-iio",
    ] {
      #expect(values["DeviceAllow"]?.contains("\(device) rw") == true, "\(device)")
    }
    #expect(values["DeviceAllow"]?.contains("char-pps r") == true)
    // Clients and D-Bus, gpsd and corrections, the resolver.
    let families = values["RestrictAddressFamilies"]?.first?.split(separator: " ") ?? []
    #expect(families == ["AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"])
    for key in ["PrivateDevices", "PrivateNetwork", "PrivateUsers"] {
      #expect(values[key] == nil, "\(key)")
    }
    // Servers are on loopback by default; the drop-in network.conf permits more.
    #expect(values["IPAddressDeny"] == ["any"] && values["IPAddressAllow"] == ["localhost"])
  }

  @Test(
    "has an exposure of at most 2.0",
    .enabled(if: FileManager.default.isExecutableFile(atPath: analyzer), "needs systemd-analyze"))
  func exposure() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.analyzer)
    process.arguments = [
      "security", "--offline=true", "--threshold=20", "--no-pager", Self.path,
    ]
    process.currentDirectoryURL = SharedData.repository
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains("Overall exposure level"))
  }
}
