import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite(
  "D-Bus values", .enabled(if: PrivateBus.isInstalled, Comment(rawValue: PrivateBus.absence)),
  .timeLimit(.minutes(30)))
struct DBusValueTests {
  /// A service that answers with its arguments.
  private static let service = "test.Echo"

  private static func echo(_ bus: PrivateBus) throws -> (DBusConnection, DBusRegistration) {
    let connection = DBusConnection(DBusAddress(bus.address))
    let object = connection.export("/echo") { .values($0.arguments) }
    try connection.own(service)
    return (connection, object)
  }

  @Test("every type arrives at a service and comes back as it was sent")
  func everyType() throws {
    let bus = try PrivateBus()
    let (server, object) = try Self.echo(bus)
    defer { object.cancel() }
    let values: [DBusValue] = [
      .byte(255), .boolean(true), .int16(-2), .uint16(65_535), .int32(.min), .uint32(.max),
      .int64(.min), .uint64(.max), .double(-1.5e-300), .string("Grüße, 你好"), .objectPath("/a/b_1"),
      .signature("a{sv}"), .bytes([]), .bytes([0, 1, 255]),
      .array(of: "s", []), .array(of: "i", [.int32(-1), .int32(2)]),
      .structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0, 2, 0x15])]),
      .array(of: "(yyay)", [.structure([.byte(1), .byte(2), .bytes([3])])]),
      .properties(["A": .int16(-59), "B": .array(of: "o", [.objectPath("/")])]),
      .dictionary(key: "q", value: "v", []),
      .dictionary(
        key: "q", value: "v",
        [DBusValue.Entry(.uint16(0x004C), .variant(.bytes([2, 0x15])))]),
      .variant(.variant(.string("inside"))),
    ]
    let client = DBusConnection(DBusAddress(bus.address))
    let answer = try client.call(DBusCall(Self.service, "/echo", "test.Echo", "Say", values))
    #expect(answer == values)
    withExtendedLifetime(server) {}
  }

  @Test("a value that D-Bus cannot encode is an error, and the connection stays usable")
  func notToBeCarried() throws {
    let bus = try PrivateBus()
    let (server, object) = try Self.echo(bus)
    defer { object.cancel() }
    let client = DBusConnection(DBusAddress(bus.address))
    let wrong: [DBusValue] = [
      .objectPath("no slash"), .signature("zz"), .structure([]), .array(of: "nonsense", []),
      .array(of: "s", [.int32(1)]), .dictionary(key: "v", value: "s", []),
      (0..<40).reduce(.byte(0)) { value, _ in .variant(value) },
      .array(of: "v", [.variant(.array(of: "s", [.objectPath("/")]))]),
    ]
    for value in wrong {
      do {
        _ = try client.call(DBusCall(Self.service, "/echo", "test.Echo", "Say", [value]))
        Issue.record("\(value) was carried")
      } catch {
        guard case .invalidMessage = error.kind else {
          Issue.record("\(error)")
          continue
        }
      }
    }
    let answer = try client.call(DBusCall(Self.service, "/echo", "test.Echo", "Say", [.byte(1)]))
    #expect(answer == [.byte(1)])
    withExtendedLifetime(server) {}
  }

  @Test("a message within the wire's limits that would make too many values is refused")
  func tooMany() throws {
    let bus = try PrivateBus()
    let server = DBusConnection(DBusAddress(bus.address))
    let many = DBusValue.array(of: "y", [])
    let object = server.export("/flood") { _ in
      // Empty arrays: 4 bytes each on the wire.
      .values([.array(of: "ay", [DBusValue](repeating: .bytes([]), count: 70_000)), many])
    }
    defer { object.cancel() }
    try server.own("test.Flood")
    let client = DBusConnection(DBusAddress(bus.address))
    do {
      _ = try client.call(DBusCall("test.Flood", "/flood", "test.Flood", "Go"))
      Issue.record("it was taken")
    } catch {
      #expect(error.kind == .unexpectedAnswer("more than 65536 values"))
    }
    let name = try client.call(.bus("GetId"))
    #expect(name.first?.text?.count == 32)
  }

  @Test("readers unwrap variants and return nil for another type")
  func readers() {
    #expect(DBusValue.variant(.variant(.int16(-59))).integer == -59)
    #expect(DBusValue.uint64(.max).integer == nil)
    #expect(DBusValue.string("7").integer == nil)
    #expect(DBusValue.variant(.boolean(true)).boolean == true)
    #expect(DBusValue.objectPath("/a").text == "/a")
    #expect(DBusValue.properties(["A": .byte(1)]).members == ["A": .byte(1)])
    #expect(
      DBusValue.dictionary(key: "q", value: "v", [.init(.uint16(1), .byte(1))]).members == nil)
    #expect(DBusValue.bytes([1, 2]).elements == [.byte(1), .byte(2)])
    #expect(DBusValue.byte(1).bytes == nil)
  }
}

@Suite("A fault of D-Bus", .timeLimit(.minutes(30)))
struct DBusFaultTests {
  @Test("is one line of limited length, whatever text the service sends")
  func line() {
    let text = "\u{1B}[2J\n" + String(repeating: "x", count: 100_000)
    for kind: DBusError.Kind in [
      .refused(name: "org.bluez.Error.Failed", message: text), .accessDenied(text),
      .unexpectedAnswer(text),
    ] {
      let line = "\(DBusError(kind, bus: "system bus", service: "org.bluez"))"
      #expect(line.hasPrefix("system bus org.bluez: ") && line.count <= 2001)
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 })
    }
  }
}
