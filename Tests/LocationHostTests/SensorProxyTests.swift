import Foundation
import LinuxIO
import Monitoring
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

@Suite(
  "The compass of desktops",
  .enabled(if: PrivateBus.isInstalled, Comment(rawValue: PrivateBus.absence)),
  .timeLimit(.minutes(30)))
struct SensorProxyTests {
  private static let service = "net.hadess.SensorProxy"
  private static let compass = "net.hadess.SensorProxy.Compass"
  private static let path = "/net/hadess/SensorProxy/Compass"

  /// A program of the desktop.
  private final class Program: Sendable {
    let connection: DBusConnection
    /// The headings that it was sent.
    let headings = Collected<Double>()
    private let registration: DBusRegistration

    init(_ bus: PrivateBus) {
      connection = DBusConnection(DBusAddress(bus.address))
      let match = DBusMatch(
        service: service, interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged",
        firstArgument: compass)
      registration = connection.subscribe(to: match) { [headings] signal in
        guard case .double(let heading)? = signal.arguments[1].members?["CompassHeading"] else {
          return
        }
        headings.add(heading)
      }
    }

    func call(_ method: String) throws(DBusError) {
      _ = try connection.call(
        DBusCall(service, SensorProxyTests.path, SensorProxyTests.compass, method))
    }

    func property(_ name: String) throws(DBusError) -> DBusValue {
      try connection.property(name, of: compass, at: SensorProxyTests.path, service: service)
    }

    func hasCompass(_ expected: Bool) -> Bool {
      eventually {
        do throws(DBusError) {
          return try property("HasCompass") == .boolean(expected)
        } catch {
          return false
        }
      }
    }
  }

  private func rig(
    _ bus: PrivateBus, _ publisher: ScriptedPublisher = ScriptedPublisher(), policy: String = ""
  ) throws -> ServiceRig {
    try ServiceRig(publisher, policy: policy) {
      ($0.sensorProxy.isOn, $0.sensorProxy.bus) = (true, DBusAddress(bus.address))
    }
  }

  private static func heading(_ degrees: Double, _ number: Int) -> Estimate {
    var estimate = Estimate.fix(latitude: 54.5, longitude: 10.25, at: 1 + Double(number) * 0.1)
    estimate.magneticHeading = MagneticHeading(Angle(degrees: degrees))
    estimate.trueHeading = TrueHeading(Angle(degrees: degrees + 90))
    return estimate
  }

  /// Sends headings, some tenths of a degree apart, until a condition holds.
  private func turn(_ rig: ServiceRig, from degrees: Double, until holds: () -> Bool) -> Bool {
    var number = 0
    return eventually {
      rig.publisher.send(Self.heading(degrees + Double(number) * 0.2, number))
      number += 1
      return holds()
    }
  }

  @Test(
    "a client that has claimed the compass receives the magnetic heading, others and a released client none"
  )
  func claims() throws {
    let bus = try PrivateBus()
    let rig = try rig(bus)
    let (program, other) = (Program(bus), Program(bus))
    #expect(program.hasCompass(true))
    #expect(try program.property("CompassHeading") == .double(-1))
    #expect(rig.demands.all.allSatisfy { $0 == .none })
    try program.call("ClaimCompass")
    #expect(turn(rig, from: 359.9) { program.headings.all.count >= 3 })
    let headings = program.headings.all
    #expect(headings.allSatisfy { $0 == 359.9 || (0..<90).contains($0) })
    // The compass needs few fixes.
    #expect(eventually { if case .every? = rig.demands.all.last { true } else { false } })
    #expect(!rig.demands.all.contains(.continuous))
    // A second claim has the heading at once.
    try other.call("ClaimCompass")
    #expect(other.headings.wait { !$0.isEmpty })
    try other.call("ReleaseCompass")
    let count = other.headings.all.count
    let sent = program.headings.all.count
    #expect(turn(rig, from: 180) { program.headings.all.count >= sent + 3 })
    #expect(other.headings.all.count <= count + 1)
    try program.call("ReleaseCompass")
    for number in 0..<20 { rig.publisher.send(Self.heading(Double(number), number)) }
    #expect(eventually { rig.demands.all.last == FixDemand.none })
    #expect(try program.property("CompassHeading") == .double(-1))
    rig.daemon.stop()
  }

  @Test("the end of a client's connection ends its claim")
  func lostClient() throws {
    let bus = try PrivateBus()
    let rig = try rig(bus)
    let program = Program(bus)
    #expect(program.hasCompass(true))
    let other = Program(bus)
    try program.call("ClaimCompass")
    #expect(turn(rig, from: 20) { !program.headings.all.isEmpty })
    #expect(try other.property("CompassHeading") != .double(-1))
    program.connection.close()
    #expect(
      turn(rig, from: 20) {
        do throws(DBusError) {
          return try other.property("CompassHeading") == .double(-1)
        } catch {
          return false
        }
      })
    rig.daemon.stop()
  }

  @Test("without a magnetometer, or without access by the policy, there is no compass")
  func absence() throws {
    for (publisher, policy) in [
      (ScriptedPublisher(hasMagnetometer: false), ""),
      (ScriptedPublisher(), "applications: {org.lodestar.sensor-proxy: {authorization: denied}}"),
    ] {
      let bus = try PrivateBus()
      let rig = try rig(bus, publisher, policy: policy)
      let program = Program(bus)
      #expect(program.hasCompass(false))
      try program.call("ClaimCompass")
      for _ in 0..<20 { rig.publisher.send(Estimate.fix(latitude: 54.5, longitude: 10.25, at: 1)) }
      #expect(try program.property("HasCompass") == .boolean(false))
      #expect(program.headings.all.isEmpty)
      rig.daemon.stop()
    }
  }

  @Test("a change of the policy removes the compass and its heading")
  func changedPolicy() throws {
    let bus = try PrivateBus()
    let rig = try rig(bus)
    let program = Program(bus)
    #expect(program.hasCompass(true))
    try program.call("ClaimCompass")
    #expect(turn(rig, from: 20) { !program.headings.all.isEmpty })
    try rig.setPolicy("applications: {org.lodestar.sensor-proxy: {authorization: denied}}")
    rig.daemon.reload()
    #expect(program.hasCompass(false))
    #expect(program.headings.wait { $0.last == -1 })
    rig.daemon.stop()
  }

  @Test("a name of another program is one warning with the program, and is taken after its end")
  func takenName() throws {
    let bus = try PrivateBus()
    let other = DBusConnection(DBusAddress(bus.address))
    try other.own(Self.service)
    let rig = try rig(bus)
    func isWarning(_ line: String) -> Bool {
      line.contains("sensor-proxy: net.hadess.SensorProxy belongs to ")
        && line.contains("(pid \(getpid()))")
        && line.contains("systemctl mask --now iio-sensor-proxy")
    }
    #expect(eventually { rig.logged.all.contains(where: isWarning) })
    other.close()
    #expect(Program(bus).hasCompass(true))
    #expect(rig.logged.all.filter(isWarning).count == 1)
    rig.daemon.stop()
  }

  @Test("a daemon without a bus serves the compass once there is one")
  func lateBus() throws {
    let bus = try PrivateBus()
    bus.stop()
    let rig = try rig(bus)
    #expect(eventually { rig.logged.all.contains { $0.contains("cannot connect") } })
    try bus.start()
    #expect(Program(bus).hasCompass(true))
    let listed = try Program(bus).connection.property(
      "HasAccelerometer", of: Self.service, at: "/net/hadess/SensorProxy", service: Self.service)
    #expect(listed == .boolean(false))
    #expect(rig.logged.all.filter { $0.contains("sensor-proxy: ") }.count == 1)
    rig.daemon.stop()
  }
}
