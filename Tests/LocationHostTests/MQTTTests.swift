import Board
import Foundation
import LinuxIO
import LocationHost
import Quantities
import Servers
import TestSupport
import Testing

@Suite("MQTT", .timeLimit(.minutes(30)))
struct MQTTTests {
  private func time(_ second: Int) -> UTCTime {
    UTCTime(nanosecondsSince1970: Int64(second) * 1_000_000_000)
  }

  @Test("addresses, topics, intervals and files that are not allowed are refused")
  func keys() {
    for (key, text) in [
      ("mqtt-broker", "broker"), ("mqtt-broker", "http://broker"), ("mqtt-broker", "mqtt://"),
      ("mqtt-broker", "mqtt://user:secret@broker"), ("mqtt-broker", "mqtt://broker:0"),
      ("mqtt-broker", "mqtt://broker:70000"), ("mqtt-broker", "mqtt://broker/path"),
      ("mqtt-topic", "a/#"), ("mqtt-topic", "a/+/b"), ("mqtt-topic", "$SYS/a"),
      ("mqtt-topic", "/a"), ("mqtt-topic", "a/"),
      ("mqtt-topic", String(repeating: "a", count: 201)),
      ("mqtt-interval", "0"), ("mqtt-interval", "nan"), ("mqtt-interval", "3601"),
      ("mqtt-qos", "2"), ("mqtt-discovery", "a+b"), ("mqtt-ca-file", "ca.pem"),
      ("mqtt-password-file", "password"), ("mqtt-client-id", ""), ("mqtt-username", "a\u{7}"),
    ] { #expect(ServeKey.fault(of: text, for: key) != nil, "\(key): \(text)") }
    for (key, text) in [
      ("mqtt-broker", "mqtt://broker"), ("mqtt-broker", "mqtts://[2001:db8::1]:8884"),
      ("mqtt-topic", "boats/Älbatros"), ("mqtt-interval", "0.5"), ("mqtt-qos", "0"),
      ("mqtt-discovery", "off"), ("mqtt-client-id", "boat 1"),
    ] { #expect(ServeKey.fault(of: text, for: key) == nil, "\(key): \(text)") }
    #expect(MQTTBroker("mqtts://broker")?.description == "mqtts://broker:8883")
    #expect(MQTTBroker("mqtt://[::1]")?.description == "mqtt://[::1]:1883")
    #expect(MQTTBroker("mqtt://[::1]")?.host == "::1")
  }

  @Test("a device that has left the board is named until it returns, also after a restart")
  func removedDevices() throws {
    let folder = try TemporaryFolder()
    func list() -> DiscoveredDevices {
      DiscoveredDevices(folder: folder.path, log: HostLog { _, _ in })
    }
    #expect(list().update(["compass", "barometer"]) == [])
    #expect(list().update(["compass"]) == ["barometer"])
    #expect(list().update(["compass"]) == ["barometer"])
    #expect(list().update(["barometer", "gyroscope"]) == ["compass"])
  }

  @Test("settings that contradict each other are one line with the remedy")
  func contradictions() {
    var settings = MQTTSettings()
    settings.broker = MQTTBroker("mqtt://broker")
    #expect(settings.contradiction == nil)
    settings.caFile = "/ca.pem"
    #expect(settings.contradiction?.contains("mqtts://broker") == true)
    settings.broker = MQTTBroker("mqtts://broker")
    #expect(settings.contradiction == nil)
    settings.certificate = "/client.pem"
    #expect(settings.contradiction?.contains("belong together") == true)
    settings.keyFile = "/client.key"
    settings.passwordFile = "/password"
    #expect(settings.contradiction?.contains("needs mqtt-username") == true)
  }

  @Test("names follow from the host and the machine, are valid topics, and are the same each time")
  func names() {
    let settings = MQTTSettings()
    let first = settings.names(host: "my+boat", machine: "0123456789abcdef0123456789abcdef\n")
    #expect(first == settings.names(host: "my+boat", machine: "0123456789abcdef0123456789abcdef\n"))
    #expect(first.topic == "lodestar/my_boat" && first.status == "lodestar/my_boat/status")
    #expect(first.client.hasPrefix("lodestar-my_boat-"))
    #expect(first.client != settings.names(host: "my+boat", machine: "other").client)
    #expect(!first.client.contains("0123"))
    var configured = settings
    (configured.topic, configured.clientIdentifier) = ("boats/albatros", "Älbatros 1")
    let names = configured.names(host: "h", machine: "m")
    #expect(names.device == "albatros" && names.state == "boats/albatros/state")
    // Home Assistant's topics allow letters, digits, _ and -.
    #expect(names.identifier == "_lbatros_1")
  }

  @Test("a password file that others can read is refused; the first line is the password")
  func passwords() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/password"
    try "se cret\nmore\n".write(toFile: path, atomically: true, encoding: .utf8)
    var settings = MQTTSettings()
    settings.passwordFile = path
    #expect(chmod(path, 0o640) == 0)
    #expect(try settings.password() == "se cret")
    #expect(chmod(path, 0o644) == 0)
    #expect(throws: MQTTFault.self) { try settings.password() }
    settings.passwordFile = folder.path + "/missing"
    #expect(throws: MQTTFault.self) { try settings.checkFiles() }
  }

  @Test(
    "the newest states wait, in order, within both limits, and the dropped ones are counted with their times"
  )
  func buffer() {
    var buffer = MQTTBuffer()
    for second in 0..<700 { buffer.append([UInt8(second % 256)], at: time(second)) }
    #expect(buffer.count == 600 && buffer.next == [100])
    let dropped = buffer.removeDropped()
    #expect(dropped?.count == 100 && dropped?.first == time(0) && dropped?.last == time(99))
    let again = buffer.removeDropped()
    #expect(again == nil)
    let large = [UInt8](repeating: 1, count: MQTTBuffer.mostBytes / 4)
    for second in 700..<710 { buffer.append(large, at: time(second)) }
    #expect(buffer.count == 4)
    let more = buffer.removeDropped()
    #expect(more?.count == 606)
  }

  @Test("once the newest state was shown as the present, the older ones are of the past")
  func past() {
    var buffer = MQTTBuffer()
    for second in 0..<4 { buffer.append([UInt8(second)], at: time(second)) }
    #expect(!buffer.isNextPast(by: 10))
    let shown = buffer.showNewest()
    #expect(shown == [3])
    var kinds: [Bool] = []
    while buffer.hasNext {
      kinds.append(buffer.isNextPast(by: 10))
      buffer.sent(Int32(kinds.count))
      // Acknowledged states are removed, and those in flight stay.
      if kinds.count == 1 { buffer.acknowledge(1) }
    }
    #expect(kinds == [true, true, true, false])
    buffer.append([4], at: time(4))
    #expect(!buffer.isNextPast(by: 10))
    // Without a connection all wait again.
    buffer.rewind()
    #expect(!buffer.isNextPast(by: 10))
  }

  @Test("a state stays until it is acknowledged, and is sent again after a lost connection")
  func acknowledgements() {
    var buffer = MQTTBuffer()
    for second in 0..<40 { buffer.append([UInt8(second)], at: time(second)) }
    var sent: [UInt8] = []
    while let payload = buffer.next {
      sent += payload
      buffer.sent(Int32(sent.count))
    }
    #expect(sent == Array(0..<16) && !buffer.hasNext)
    let known = [2, 1, 2, 99].map { buffer.acknowledge($0) }
    #expect(known == [true, true, false, false])
    #expect(buffer.next == [16])
    buffer.rewind()
    #expect(buffer.count == 38 && buffer.next == [2])
    // Numbers of the lost connection have no meaning.
    let isOld = buffer.acknowledge(3)
    #expect(!isOld)
    // States in flight may be dropped too.
    buffer.sent(7)
    for second in 40..<700 { buffer.append([1], at: time(second)) }
    let isDropped = buffer.acknowledge(7)
    #expect(!isDropped && buffer.count == 600 && buffer.hasNext)
  }

  @Test("attempts of a fleet are spread over half to one and a half of 1 s to 5 min")
  func delays() {
    var delay = RetryDelay.ofFleet
    var base = 1.0
    for _ in 0..<12 {
      let next = delay.next()
      #expect(next >= base / 2 && next <= base * 1.5)
      base = min(base * 2, 200)
    }
    delay.reset()
    let first = delay.next()
    #expect(first <= 1.5)
    let later = Set((0..<100).map { _ in delay.next() })
    #expect(later.count == 100)
  }

  @Test("a missing library is found missing")
  func missingLibrary() {
    #expect(MosquittoLibrary(name: "libmosquitto.so.missing") == nil)
    // A library without the functions.
    #expect(MosquittoLibrary(name: "libm.so.6") == nil)
  }

  @Test("wrong settings and files are one warning, and the daemon goes on")
  func warnings() throws {
    let rig = try ServiceRig {
      $0.mqtt.broker = MQTTBroker("mqtt://127.0.0.1:1")
      $0.mqtt.passwordFile = "/nowhere"
    }
    #expect(rig.logged.all.contains { $0.hasPrefix("<4>mqtt: mqtt-password-file needs") })
    rig.daemon.stop()
  }

  @Test(
    "states wait while no broker listens, arrive as history in order after the newest, again after a lost connection, and the end is offline",
    .enabled(if: MosquittoLibrary() != nil, "needs libmosquitto1"))
  func link() throws {
    let broker = try MQTTTestBroker()
    var settings = MQTTSettings()
    settings.broker = MQTTBroker("mqtt://127.0.0.1:\(broker.port)")
    (settings.topic, settings.clientIdentifier) = ("boats/albatros", "boat-1")
    let library = try #require(MosquittoLibrary())
    let logged = LoggedLines()
    let link = try MQTTLink(
      settings, settings.names(host: "h", machine: "m"), library, log: logged.log)
    link.start()
    for number in 0..<20 { link.post(Array("\(number)".utf8), at: time(number)) }
    // Without it the discovery message waits for the devices.
    link.post(health: [], of: [])
    #expect(eventually { logged.all.contains { $0.contains("connection refused") } })
    #expect(link.waiting == 20)
    // The first connection acknowledges the newest state and the four oldest, and ends.
    broker.start(acknowledging: 5)
    #expect(eventually { link.waiting == 0 })
    let messages = broker.messages
    #expect(broker.clients == ["boat-1", "boat-1"] && broker.will == "offline")
    let topics = messages.prefix(4).map(\.topic)
    #expect(
      topics == [
        "homeassistant/device/boat-1/config", "boats/albatros/health", "boats/albatros/state",
        "boats/albatros/status",
      ])
    #expect(messages.allSatisfy { $0.isRetained != $0.topic.hasSuffix("/history") })
    func numbers(_ topic: String) -> [Int] {
      messages.filter { $0.topic == "boats/albatros/\(topic)" }.compactMap { Int($0.text) }
    }
    // At once after each connection, and in its turn.
    #expect(numbers("state") == [19, 19, 19])
    let past = numbers("history")
    let second = try #require(past.lastIndex(of: 4))
    #expect(Array(past[second...]) == Array(4..<19))
    #expect(Array(past[..<second]) == Array(0..<second))
    #expect(logged.all.contains { $0.contains("boats/albatros; 20 states have waited") })
    link.stop()
    #expect(eventually { broker.hasDisconnected })
    #expect(broker.messages.last?.text == "offline")
  }

  @Test(
    "a refusal of the broker is its own warning",
    .enabled(if: MosquittoLibrary() != nil, "needs libmosquitto1"),
    arguments: [
      (2, "refuses the client id 'boat-1'"), (4, "wrong user name or password"),
      (5, "not authorized"),
    ])
  func refusals(code: UInt8, words: String) throws {
    let broker = try MQTTTestBroker()
    broker.start(answering: code)
    var settings = MQTTSettings()
    settings.broker = MQTTBroker("mqtt://127.0.0.1:\(broker.port)")
    settings.clientIdentifier = "boat-1"
    let library = try #require(MosquittoLibrary())
    let logged = LoggedLines()
    let link = try MQTTLink(
      settings, settings.names(host: "h", machine: "m"), library, log: logged.log)
    link.start()
    #expect(eventually { logged.all.contains { $0.contains(words) } })
    link.stop()
  }
}
