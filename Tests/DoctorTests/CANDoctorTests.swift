import Configuration
import Doctor
import Testing

@Suite("Doctor: CAN interfaces", .timeLimit(.minutes(30)))
struct CANDoctorTests {
  @Test("an interface that is configured and missing or of another type is a fault")
  func missing() throws {
    let fake = try FakeMachine()
    #expect(fake.findings(.can).isEmpty)
    let finding = try #require(fake.findings(.can) { $0.canInterface = "can0" }.first)
    #expect(finding.identifier == "can-missing" && finding.severity == .fault)
    #expect(finding.remedy?.commands.first?.contains("dtoverlay=mcp2515-can0") == true)
    try fake.write("1\n", "/sys/class/net/can0/type")
    #expect(fake.findings(.can, withReceiver("can://can0/35")).map(\.identifier) == ["can-missing"])
  }

  @Test("an interface that is down is a fault with the command that starts it")
  func down() throws {
    let fake = try FakeMachine()
    try fake.write("280\n", "/sys/class/net/can0/type")
    try fake.write("0x40080\n", "/sys/class/net/can0/flags")
    let finding = try #require(fake.findings(.can) { $0.canInterface = "can0" }.first)
    #expect(finding.identifier == "can-down")
    #expect(
      finding.remedy?.commands.first?.hasPrefix("sudo ip link set can0 up type can bitrate 250000")
        == true)
    try fake.write("0x400c1\n", "/sys/class/net/can0/flags")
    #expect(fake.findings(.can, withReceiver("can://can0")).map(\.severity) == [.ok])
  }
}
