import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite("The daemon's unit", .timeLimit(.minutes(30)))
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
    // The numbers of ttyS, i2c, spi, ttyACM, ttyUSB, ttyAMA, ttymxc and rfcomm: the name of a
    // driver that is loaded after the start would not be found.
    for device in ["4", "89", "153", "166", "188", "204", "207", "216", "gpiochip", "iio"] {
      #expect(values["DeviceAllow"]?.contains("char-\(device) rw") == true, "\(device)")
    }
    for driver in ["i2c_dev", "industrialio", "pps_core"] {
      for key in ["Wants", "After"] {
        let units = values[key]?.joined(separator: " ").split(separator: " ") ?? []
        #expect(units.contains("modprobe@\(driver).service"), "\(key) \(driver)")
      }
    }
    #expect(values["DeviceAllow"]?.contains("char-pps r") == true)
    // Clients and D-Bus, gpsd and corrections, the resolver, NMEA 2000.
    let families = values["RestrictAddressFamilies"]?.first?.split(separator: " ") ?? []
    #expect(families == ["AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK", "AF_CAN"])
    for key in ["PrivateDevices", "PrivateNetwork", "PrivateUsers"] {
      #expect(values[key] == nil, "\(key)")
    }
    // Servers are on loopback by default; the drop-in network.conf permits more.
    #expect(values["IPAddressDeny"] == ["any"] && values["IPAddressAllow"] == ["localhost"])
  }

  @Test("has its user and groups made by the installation, and names no group that may be missing")
  func groups() throws {
    let values = try values()
    #expect(values["User"] == ["lodestar"] && values["Group"] == ["lodestar"])
    #expect(values["SupplementaryGroups"] == nil)
    let file = SharedData.repository.appendingPathComponent("Packaging/systemd/sysusers.conf")
    let users = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    for group in ["i2c", "spi", "gpio", "dialout"] {
      #expect(users.contains("m lodestar \(group)"), "\(group)")
    }
  }

  @Test(
    "has an exposure of at most 2.0",
    .enabled(if: FileManager.default.isExecutableFile(atPath: analyzer), "needs systemd-analyze"))
  func exposure() throws {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: Self.analyzer)
    process.arguments = [
      "security", "--offline=true", "--threshold=20", "--no-pager", Self.path,
    ]
    process.currentDirectoryURL = SharedData.repository
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.start()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitOrKill()
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains("Overall exposure level"))
  }
}
