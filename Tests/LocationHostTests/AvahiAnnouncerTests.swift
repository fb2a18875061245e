import Foundation
import LinuxIO
import ScriptedSource
import Servers
import TestSupport
import Testing

/// A mock of Avahi on a private bus, made from its interface files: one group, names that are
/// taken, and states.
private final class MockAvahi: Sendable {
  private static let server = "org.freedesktop.Avahi.Server"
  private static let entryGroup = "org.freedesktop.Avahi.EntryGroup"
  static let collisionError = "org.freedesktop.Avahi.CollisionError"

  private struct State {
    var entries: [String] = []
    var committed: [String] = []
    var isRunning = true
    /// Names that this machine and the network have already.
    var localNames: Set<String> = []
    var networkNames: Set<String> = []
  }

  let connection: DBusConnection
  private let state: Locked<State>
  private let registrations = Locked<[DBusRegistration]>([])

  init(_ bus: PrivateBus, local: Set<String> = [], network: Set<String> = []) throws {
    connection = DBusConnection(DBusAddress(bus.address))
    state = Locked(State(localNames: local, networkNames: network))
    let exports = [
      connection.export("/") { [weak self] in self?.serverCalled($0) ?? .unknownMethod($0) },
      connection.export("/group") { [weak self] in self?.groupCalled($0) ?? .unknownMethod($0) },
    ]
    registrations.withLock { $0 = exports }
    try connection.own("org.freedesktop.Avahi")
  }

  /// The committed entries, such as `Lodestar on boat _nmea-0183._tcp 10110 interface -1
  /// accuracy=exact`.
  var announced: [String] { state.withLock { $0.committed } }

  /// Changes the state, as when the machine's name collides.
  func set(isRunning: Bool) throws {
    state.withLock { $0.isRunning = isRunning }
    try connection.send(
      DBusSignal("/", Self.server, "StateChanged", [.int32(isRunning ? 2 : 3), .string("")]))
  }

  private func serverCalled(_ call: DBusIncomingCall) -> DBusAnswer {
    switch call.method {
    case "GetState": .values([.int32(state.withLock { $0.isRunning } ? 2 : 3)])
    case "GetHostName": .values([.string("boat")])
    case "EntryGroupNew": .values([.objectPath("/group")])
    case "GetAlternativeServiceName":
      .values([.string((call.arguments.first?.text ?? "") + " #2")])
    default: .unknownMethod(call)
    }
  }

  private func groupCalled(_ call: DBusIncomingCall) -> DBusAnswer {
    let arguments = call.arguments
    switch call.method {
    case "Reset": state.withLock { ($0.entries, $0.committed) = ([], []) }
    case "AddAddress":
      let text = "\(arguments[3].text ?? "") \(arguments[4].text ?? "")"
      state.withLock { $0.entries.append(text) }
    case "AddService":
      let name = arguments[3].text ?? ""
      if state.withLock({ $0.localNames.contains(name) }) {
        return .fault(name: Self.collisionError, message: "Local name collision")
      }
      let text = arguments[8].elements?.compactMap(\.bytes).map {
        String(decoding: $0, as: UTF8.self)
      }
      let place = arguments[0].integer == -1 ? "everywhere" : "lo"
      let host = arguments[6].text ?? ""
      let words = [name, arguments[4].text ?? "", "\(arguments[7].integer ?? 0)", place, host]
      let entry = (words + (text ?? [])).filter { !$0.isEmpty }.joined(separator: " ")
      state.withLock { $0.entries.append(entry) }
    case "Commit": return commit()
    default: return .unknownMethod(call)
    }
    return .values([])
  }

  private func commit() -> DBusAnswer {
    let hasCollided = state.withLock { state in
      let hasCollided = state.entries.contains { entry in
        state.networkNames.contains { entry.hasPrefix($0 + " _") }
      }
      state.committed = hasCollided ? [] : state.entries
      return hasCollided
    }
    // After the answer, as of the real daemon, which probes the network first.
    connection.perform { [connection] in
      do throws(DBusError) {
        try connection.send(
          DBusSignal(
            "/group", Self.entryGroup, "StateChanged",
            [.int32(hasCollided ? 3 : 2), .string("")]))
      } catch {
        Issue.record("\(error)")
      }
    }
    return .values([])
  }
}

@Suite(
  "Announced ports",
  .enabled(if: PrivateBus.isInstalled, Comment(rawValue: PrivateBus.absence)),
  .timeLimit(.minutes(30)))
struct AvahiAnnouncerTests {
  private func rig(
    _ bus: PrivateBus, _ host: String = "0.0.0.0", policy: String = "", isOn: Bool = true
  ) throws -> ServiceRig {
    try ServiceRig(policy: policy) {
      $0.nmea.address = StreamAddress(host: host, port: 0)
      ($0.announcements.isOn, $0.announcements.bus) = (isOn, DBusAddress(bus.address))
    }
  }

  @Test("the port of a network's address is announced with its accuracy, and withdrawn at the end")
  func network() throws {
    let bus = try PrivateBus()
    let avahi = try MockAvahi(bus)
    let rig = try rig(bus)
    let port = try #require(rig.daemon.serverPorts["nmea-port"])
    let entry = "Lodestar on boat _nmea-0183._tcp \(port) everywhere accuracy=exact"
    #expect(eventually { avahi.announced == [entry] })
    #expect(
      eventually {
        rig.logged.all.contains { $0.contains("announced by Avahi as 'Lodestar on boat'") }
      })
    // Reduced accuracy is announced as such, and a port without data is not announced.
    try rig.setPolicy("applications: {org.lodestar.nmea: {accuracy: reduced}}")
    rig.daemon.reload()
    #expect(eventually { avahi.announced.first?.hasSuffix("accuracy=city") == true })
    try rig.setPolicy("applications: {org.lodestar.nmea: {authorization: denied}}")
    rig.daemon.reload()
    #expect(eventually { avahi.announced.isEmpty })
    rig.daemon.stop()
  }

  @Test("the port of loopback is announced on this machine's interface with a host of its own")
  func loopback() throws {
    let bus = try PrivateBus()
    let avahi = try MockAvahi(bus)
    let rig = try rig(bus, "localhost")
    let port = try #require(rig.daemon.serverPorts["nmea-port"])
    #expect(
      eventually {
        avahi.announced == [
          "lodestar-local.local 127.0.0.1",
          "Lodestar on boat _nmea-0183._tcp \(port) lo lodestar-local.local accuracy=exact",
        ]
      })
    rig.daemon.stop()
  }

  @Test("a name that this machine or the network has is replaced by an alternative")
  func collisions() throws {
    let bus = try PrivateBus()
    let avahi = try MockAvahi(
      bus, local: ["Lodestar on boat"], network: ["Lodestar on boat #2"])
    let rig = try rig(bus)
    #expect(eventually { avahi.announced.first?.hasPrefix("Lodestar on boat #2 #2 _") == true })
    rig.daemon.stop()
  }

  @Test(
    "after a restart of Avahi, of the bus, and a change of the machine's name, ports are announced again"
  )
  func restarts() throws {
    let bus = try PrivateBus()
    let rig = try rig(bus)
    let first = try MockAvahi(bus)
    #expect(eventually { first.announced.count == 1 })
    try first.set(isRunning: false)
    #expect(eventually { first.announced.isEmpty })
    try first.set(isRunning: true)
    #expect(eventually { first.announced.count == 1 })
    first.connection.close()
    // The bus gives the name away when it has seen the end of the connection.
    var made: MockAvahi?
    #expect(
      eventually {
        do { made = try MockAvahi(bus) } catch { return false }
        return true
      })
    let second = try #require(made)
    #expect(eventually { second.announced.count == 1 })
    bus.stop()
    try bus.start()
    let third = try MockAvahi(bus)
    #expect(eventually { third.announced.count == 1 })
    rig.daemon.stop()
  }

  @Test("announce is on or off, and off announces nothing")
  func off() throws {
    let bus = try PrivateBus()
    let avahi = try MockAvahi(bus)
    let rig = try rig(bus, isOn: false)
    // The daemon has started its servers; the bus was not used.
    #expect(rig.daemon.serverPorts["nmea-port"] != nil)
    #expect(avahi.announced.isEmpty)
    rig.daemon.stop()
    var configuration = rig.configuration
    #expect(ServeKey.fault(of: "maybe", for: "announce") == "on or off")
    ServeKey.apply(["announce": "on"], to: &configuration)
    #expect(configuration.announcements.isOn)
  }
}
