import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite(
  "D-Bus connections", .enabled(if: PrivateBus.isInstalled, Comment(rawValue: PrivateBus.absence)),
  .timeLimit(.minutes(30)))
struct DBusConnectionTests {
  private static let service = "test.Service"

  private static func kind(
    _ body: () throws(DBusError) -> Void
  ) -> DBusError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return error.kind
    }
  }

  @Test("a missing bus is reported with its address and the remedy")
  func noBus() {
    let connection = DBusConnection(DBusAddress("unix:path=/nonexistent/bus"))
    do {
      _ = try connection.call(DBusCall("org.bluez", "/", "test.I", "M"))
      Issue.record("it answered")
    } catch {
      guard case .busMissing = error.kind else {
        Issue.record("\(error)")
        return
      }
      let text = error.description
      #expect(text.contains("unix:path=/nonexistent/bus"))
      #expect(text.contains("org.bluez"))
      #expect(text.contains("test.I.M"))
      #expect(text.contains("apt install dbus"))
    }
  }

  @Test("an invalid address is an error")
  func noAddress() {
    for text in ["", "nonsense", "unix:", "tcp:host=localhost"] {
      let connection = DBusConnection(DBusAddress(text))
      let kind = Self.kind { () throws(DBusError) in _ = try connection.call(.bus("GetId")) }
      guard case .busMissing = kind else {
        Issue.record("\(text): \(String(describing: kind))")
        continue
      }
    }
  }

  @Test("a missing service, refused access, a service's error and a timeout are distinguished")
  func faults() throws {
    let bus = try PrivateBus()
    let server = DBusConnection(DBusAddress(bus.address))
    let mayAnswer = DispatchSemaphore(value: 0)
    defer { mayAnswer.signal() }
    let object = server.export("/o") { call in
      if call.method == "Sleep" { mayAnswer.wait() }
      return .fault(name: "test.Error.No", message: "not today")
    }
    defer { object.cancel() }
    try server.own(Self.service)
    let forbidden = DBusConnection(DBusAddress(bus.address))
    try forbidden.own(PrivateBus.forbiddenService)
    let client = DBusConnection(DBusAddress(bus.address))
    func kind(
      _ service: String, _ path: String, _ method: String, within seconds: Double = 30
    ) -> DBusError.Kind? {
      Self.kind { () throws(DBusError) in
        _ = try client.call(DBusCall(service, path, "test.I", method), within: seconds)
      }
    }
    #expect(kind("test.Absent", "/o", "M") == .serviceMissing)
    #expect(kind(Self.service, "/o", "M") == .refused(name: "test.Error.No", message: "not today"))
    guard case .accessDenied = kind(PrivateBus.forbiddenService, "/o", "M") else {
      Issue.record("sending was allowed")
      return
    }
    guard case .refused(let name, _) = kind(Self.service, "/elsewhere", "M") else {
      Issue.record("an absent object answered")
      return
    }
    #expect(name == "org.freedesktop.DBus.Error.UnknownObject")
    #expect(kind(Self.service, "/o", "Sleep", within: 0.5) == .timedOut(seconds: 0.5))
    mayAnswer.signal()
    // The server answers in order: the late answer comes before that of this call, and is dropped.
    #expect(kind(Self.service, "/o", "M") == .refused(name: "test.Error.No", message: "not today"))
    let identity = try client.call(.bus("GetId"), within: 30)
    #expect(identity.count == 1)
  }

  @Test("a bus without an answer blocks a caller no longer than its deadline")
  func frozen() throws {
    let bus = try PrivateBus()
    let client = DBusConnection(DBusAddress(bus.address))
    _ = try client.call(.bus("GetId"))
    bus.freeze()
    defer { bus.thaw() }
    let kind = Self.kind { () throws(DBusError) in
      _ = try client.call(.bus("GetId"), within: 0.3)
    }
    #expect(kind == .timedOut(seconds: 0.3))
  }

  @Test("signals arrive in order, by interface, name, path and service")
  func signals() throws {
    let bus = try PrivateBus()
    let server = DBusConnection(DBusAddress(bus.address))
    try server.own(Self.service)
    let stranger = DBusConnection(DBusAddress(bus.address))
    let client = DBusConnection(DBusAddress(bus.address))
    let got = Collected<DBusSignal>()
    let match = DBusMatch(
      service: Self.service, interface: "test.I", name: "Count", pathNamespace: "/counted")
    let registration = client.subscribe(to: match) { got.add($0) }
    _ = try client.call(.bus("GetId"))
    // A forged signal of the service.
    try stranger.send(DBusSignal("/counted", "test.I", "Count", [.int32(-1)]))
    _ = try stranger.call(.bus("GetId"))
    for number in 0..<100 {
      try server.send(DBusSignal("/counted/a", "test.I", "Count", [.int32(Int32(number))]))
      try server.send(DBusSignal("/countedelse", "test.I", "Count", [.int32(-2)]))
      try server.send(DBusSignal("/counted", "test.I", "Other", [.int32(-3)]))
    }
    #expect(got.wait { $0.count >= 100 })
    #expect(got.all.compactMap { $0.arguments.first?.integer } == Array(0..<100))
    registration.cancel()
    _ = try client.call(.bus("GetId"))
    try server.send(DBusSignal("/counted", "test.I", "Count", [.int32(5)]))
    _ = try server.call(.bus("GetId"))
    _ = try client.call(.bus("GetId"))
    #expect(got.all.count == 100)
  }

  @Test("a forged signal sent directly to this connection is not delivered")
  func forgedSignal() throws {
    let bus = try PrivateBus()
    let server = DBusConnection(DBusAddress(bus.address))
    try server.own(Self.service)
    let client = DBusConnection(DBusAddress(bus.address))
    let got = Collected<DBusSignal>()
    let match = DBusMatch(service: Self.service, interface: "test.I", name: "Count")
    let registration = client.subscribe(to: match) { got.add($0) }
    // The bus delivers the other sender's signal, because this subscription includes it.
    let stranger = DBusConnection(DBusAddress(bus.address))
    try stranger.own("test.Stranger")
    let other = client.subscribe(
      to: DBusMatch(service: "test.Stranger", interface: "test.I", name: "Count")
    ) { _ in }
    _ = try client.call(.bus("GetId"))
    try stranger.send(DBusSignal("/", "test.I", "Count", [.int32(1)]))
    _ = try stranger.call(.bus("GetId"))
    try server.send(DBusSignal("/", "test.I", "Count", [.int32(2)]))
    #expect(got.wait { !$0.isEmpty })
    #expect(got.all.compactMap { $0.arguments.first?.integer } == [2])
    registration.cancel()
    other.cancel()
  }

  @Test("a callback may call: its answer overtakes queued messages")
  func callWithinCallback() throws {
    let bus = try PrivateBus()
    let server = DBusConnection(DBusAddress(bus.address))
    let object = server.export("/o") { .values([.string($0.method)]) }
    defer { object.cancel() }
    try server.own(Self.service)
    let client = DBusConnection(DBusAddress(bus.address))
    let got = Collected<String>()
    let match = DBusMatch(service: Self.service, interface: "test.I", name: "Ask")
    let registration = client.subscribe(to: match) { _ in
      do {
        let answer = try client.call(DBusCall(Self.service, "/o", "test.I", "Hello"))
        got.add(answer.first?.text ?? "nothing")
      } catch {
        got.add("\(error)")
      }
    }
    _ = try client.call(.bus("GetId"))
    for _ in 0..<3 { try server.send(DBusSignal("/o", "test.I", "Ask")) }
    #expect(got.wait { $0.count == 3 })
    #expect(got.all == ["Hello", "Hello", "Hello"])
    registration.cancel()
  }

  @Test("calls fail while the bus is down; subscriptions, objects and names are restored with it")
  func restart() throws {
    let bus = try PrivateBus()
    let server = DBusConnection(DBusAddress(bus.address))
    let object = server.export("/o") { _ in .values([.byte(7)]) }
    defer { object.cancel() }
    try server.own(Self.service)
    let client = DBusConnection(DBusAddress(bus.address))
    let got = Collected<Int>()
    let owners = Collected<String?>()
    let match = DBusMatch(service: Self.service, interface: "test.I", name: "Count")
    let registration = client.subscribe(to: match) { got.add($0.arguments.first?.integer ?? -1) }
    let watch = client.watch(Self.service) { owners.add($0) }
    #expect(owners.wait { $0.last.map { $0 != nil } ?? false })
    bus.stop()
    #expect(owners.wait { $0.last.map { $0 == nil } ?? false })
    let failed = Self.kind { () throws(DBusError) in
      _ = try client.call(DBusCall(Self.service, "/o", "test.I", "M"))
    }
    #expect(failed != nil)
    try bus.start()
    #expect(owners.wait { $0.last.map { $0 != nil } ?? false })
    let answer = try client.call(DBusCall(Self.service, "/o", "test.I", "M"))
    #expect(answer == [.byte(7)])
    try server.send(DBusSignal("/", "test.I", "Count", [.int32(1)]))
    #expect(got.wait { $0 == [1] })
    registration.cancel()
    watch.cancel()
  }

  @Test("a closed connection ends all calls with an error, waiting ones too")
  func closing() throws {
    let bus = try PrivateBus()
    let client = DBusConnection(DBusAddress(bus.address))
    _ = try client.call(.bus("GetId"))
    bus.freeze()
    defer { bus.thaw() }
    let failures = Collected<DBusError.Kind?>()
    let thread = Thread {
      let kind = Self.kind { () throws(DBusError) in
        _ = try client.call(.bus("GetId"), within: 60)
      }
      failures.add(kind)
    }
    thread.start()
    Thread.sleep(forTimeInterval: 0.2)
    client.close()
    #expect(failures.wait { $0 == [.disconnected] })
    let kind = Self.kind { () throws(DBusError) in _ = try client.call(.bus("GetId")) }
    #expect(kind == .disconnected)
  }

  @Test("an object tree lists its objects, announces changes and removes objects")
  func objectTree() throws {
    let bus = try PrivateBus()
    let server = DBusConnection(DBusAddress(bus.address))
    try server.own(Self.service)
    let tree = DBusObjectTree(server, root: "/")
    try tree.add("test.Thing", at: "/thing", properties: ["Size": .int16(3)]) { call in
      call.method == "Grow" ? .values([.int16(4)]) : .unknownMethod(call)
    }
    let client = DBusConnection(DBusAddress(bus.address))
    let listed = try client.managedObjects(of: Self.service)
    #expect(listed.objects == ["/thing": ["test.Thing": ["Size": .int16(3)]]])
    let grown = try client.call(DBusCall(Self.service, "/thing", "test.Thing", "Grow"))
    #expect(grown == [.int16(4)])
    let changes = Collected<DBusSignal>()
    let match = DBusMatch(
      service: Self.service, interface: "org.freedesktop.DBus.Properties",
      name: "PropertiesChanged", firstArgument: "test.Thing")
    let registration = client.subscribe(to: match) { changes.add($0) }
    _ = try client.call(.bus("GetId"))
    try tree.change(["Size": .int16(5)], of: "test.Thing", at: "/thing")
    #expect(changes.wait { $0.count == 1 })
    #expect(changes.all.first?.arguments[1].members == ["Size": .int16(5)])
    let size = try client.property("Size", of: "test.Thing", at: "/thing", service: Self.service)
    #expect(size == .int16(5))
    try tree.remove("/thing")
    let left = try client.managedObjects(of: Self.service)
    #expect(left.objects.isEmpty)
    registration.cancel()
  }

  @Test("objects and their parents are described, and a signal may have one receiver")
  func introspection() throws {
    let bus = try PrivateBus()
    let server = DBusConnection(DBusAddress(bus.address))
    try server.own(Self.service)
    let tree = DBusObjectTree(server, root: "/a/b")
    try tree.add("test.Thing", at: "/a/b/c", properties: ["Size": .int16(3)], methodNames: ["Grow"])
    let client = DBusConnection(DBusAddress(bus.address))
    func describe(_ path: String) throws -> String {
      let call = DBusCall(
        Self.service, path, "org.freedesktop.DBus.Introspectable", "Introspect")
      return try client.call(call).first?.text ?? ""
    }
    #expect(try describe("/").contains("<node name=\"a\"/>"))
    #expect(try describe("/a").contains("<node name=\"b\"/>"))
    #expect(try describe("/a/b").contains("<node name=\"c\"/>"))
    let thing = try describe("/a/b/c")
    #expect(thing.contains("<interface name=\"test.Thing\">"))
    #expect(thing.contains("<property name=\"Size\" type=\"n\" access=\"read\"/>"))
    #expect(thing.contains("<method name=\"Grow\"/>"))
    #expect(throws: DBusError.self) { try describe("/b") }

    let other = DBusConnection(DBusAddress(bus.address))
    let (got, missed) = (Collected<DBusSignal>(), Collected<DBusSignal>())
    let match = DBusMatch(
      service: Self.service, interface: "org.freedesktop.DBus.Properties",
      name: "PropertiesChanged")
    let registrations = [
      client.subscribe(to: match) { got.add($0) }, other.subscribe(to: match) { missed.add($0) },
    ]
    _ = try other.call(.bus("GetId"))
    let name = try #require(client.uniqueName)
    try tree.change(["Size": .int16(5)], of: "test.Thing", at: "/a/b/c", for: [name])
    try tree.change(["Size": .int16(6)], of: "test.Thing", at: "/a/b/c")
    #expect(got.wait { $0.count == 2 })
    #expect(missed.wait { $0.count == 1 })
    #expect(missed.all.first?.arguments[1].members == ["Size": .int16(6)])
    for registration in registrations { registration.cancel() }
  }

  @Test("signals of many values that wait for a call's end need no more memory than their messages")
  func waitingSignals() throws {
    // In a process of its own: other tests of this one need memory meanwhile.
    guard ProcessInfo.processInfo.environment[Self.alone] != nil else {
      let child = ChildProcess()
      child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      child.arguments = [
        "--testing-library", "swift-testing", "--filter", "DBusConnectionTests/waitingSignals",
      ]
      child.environment = ProcessInfo.processInfo.environment.merging([Self.alone: "1"]) { $1 }
      let output = Pipe()
      child.standardOutput = output
      try child.start(endingAfter: 300)
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      child.waitOrKill()
      #expect(child.terminationStatus == 0 && text.contains(Self.alone), "\(text)")
      return
    }
    let bus = try PrivateBus()
    let server = DBusConnection(DBusAddress(bus.address))
    try server.own(Self.service)
    let client = DBusConnection(DBusAddress(bus.address))
    let (sizes, failures) = (Collected<Int>(), Collected<DBusError>())
    let match = DBusMatch(service: Self.service, interface: "test.I", name: "Many")
    let registration = client.subscribe(to: match) { signal in
      sizes.add(signal.arguments.first?.elements?.count ?? 0)
    }
    _ = try client.call(.bus("GetId"))
    let values = [DBusValue](repeating: .variant(.byte(0)), count: 30_000)
    let signals = 60
    // The answer follows the signals, 7 MB.
    let object = server.export("/o") { _ in
      for _ in 0..<signals {
        do throws(DBusError) {
          try server.send(DBusSignal("/o", "test.I", "Many", [.array(of: "v", values)]))
        } catch {
          failures.add(error)
        }
      }
      return .values([])
    }
    let before = Self.peakMegabytes
    client.perform {
      do throws(DBusError) {
        _ = try client.call(DBusCall(Self.service, "/o", "test.I", "Send"), within: 300)
      } catch {
        failures.add(error)
      }
    }
    #expect(sizes.wait(300) { $0.count == signals } && sizes.all.allSatisfy { $0 == 30_000 })
    #expect(failures.all == [])
    // Decoded, the signals need 180 MB.
    #expect(Self.peakMegabytes - before < 90)
    print(Self.alone)
    object.cancel()
    registration.cancel()
  }

  /// The environment variable of the process that runs a test alone.
  private static let alone = "LODESTAR_TEST_ALONE"

  /// The greatest resident memory of this process so far, MB.
  private static var peakMegabytes: Double {
    let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("VmHWM:")
    }
    return line.flatMap { Double($0.filter(\.isNumber)) }.map { $0 / 1000 } ?? .nan
  }
}
