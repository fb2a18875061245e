import Foundation
import LinuxIO
import LocationHost
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

@Suite("Outputs without connections", .timeLimit(.minutes(30)))
struct PacketOutputTests {
  /// The datagrams that arrive while estimates of ten a second are sent.
  private func datagrams(
    _ receiver: DatagramReceiver, _ rig: ServiceRig, until isEnough: ([[UInt8]]) -> Bool
  ) -> [[UInt8]] {
    var (datagrams, buffer) = ([[UInt8]](), [UInt8](repeating: 0, count: 2048))
    for number in 0..<400 where !isEnough(datagrams) {
      var estimate = Estimate.fix(latitude: 54.5, longitude: 10.25, at: Double(number + 1) * 0.1)
      estimate.trueHeading = TrueHeading(Angle(degrees: 44))
      (estimate.altitudeMetres, estimate.speedMetresPerSecond) = (12, 2)
      estimate.course = Angle(degrees: 45)
      estimate.attitude = Rotation(
        AttitudeAngles(heading: Angle(degrees: 44), pitch: .zero, roll: .zero))
      estimate.isLevelKnown = true
      rig.publisher.send(estimate)
      var state = pollfd(fd: receiver.file, events: Int16(POLLIN), revents: 0)
      while poll(&state, 1, 25) > 0 {
        let count = read(receiver.file, &buffer, buffer.count)
        if count > 0 { datagrams.append(Array(buffer[..<count])) }
      }
    }
    return datagrams
  }

  @Test("GDL 90 has a heartbeat and a position a second and five attitudes")
  func gdl90() throws {
    let receiver = try DatagramReceiver()
    let rig = try ServiceRig {
      $0.gdl90.destination = DatagramAddress("127.0.0.1:\(receiver.port)")
    }
    let messages = datagrams(receiver, rig) {
      $0.filter { $0.starts(with: [0x7E, 10]) }.count >= 4
    }
    let kinds = messages.map { Array($0.dropFirst().prefix(2)) }
    // On a busy machine more has been sent until it is read, and updates are dropped.
    let seconds = kinds.filter { $0[0] == 10 }.count
    let attitudes = kinds.filter { $0 == [0x65, 1] }.count
    #expect(abs(kinds.filter { $0[0] == 0 }.count - seconds) <= 1)
    #expect(abs(kinds.filter { $0 == [0x65, 0] }.count - seconds) <= 1)
    #expect((seconds...5 * seconds + 5).contains(attitudes), "\(attitudes) in \(seconds) s")
    #expect(messages.allSatisfy { $0.first == 0x7E && $0.last == 0x7E })
    rig.daemon.stop()
  }

  @Test("JSON has an object for each tenth of a second")
  func json() throws {
    let receiver = try DatagramReceiver()
    let rig = try ServiceRig {
      $0.json.destination = DatagramAddress("127.0.0.1:\(receiver.port)")
    }
    let objects = datagrams(receiver, rig) { $0.count >= 10 }
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(objects.count >= 10)
    #expect(objects.allSatisfy { $0.hasPrefix("{\"t\":") && $0.hasSuffix("}") })
    #expect(objects.contains { $0.contains("\"latitude\":54.500000000") }, "\(objects)")
    #expect(Set(objects).count == objects.count)
    rig.daemon.stop()
  }

  @Test("AgOpenGPS is greeted once a second beside its sentences")
  func agOpenGPS() throws {
    let receiver = try DatagramReceiver()
    let rig = try ServiceRig {
      $0.nmea.destination = DatagramAddress("127.0.0.1:\(receiver.port)")
      ServeKey.apply(["nmea-sentences": "PANDA=10"], to: &$0)
    }
    let received = datagrams(receiver, rig) { $0.filter { $0.first == 0x80 }.count >= 3 }
    let sentences = received.filter { $0.starts(with: Array("$PANDA,".utf8)) }.count
    let hello: [UInt8] = [0x80, 0x81, 121, 121, 5, 0, 0, 0, 0, 0, 71]
    let greetings = received.filter { $0 == hello }.count
    #expect(greetings >= 3)
    #expect((greetings...10 * greetings + 10).contains(sentences), "\(sentences), \(greetings)")
    rig.daemon.stop()
  }

  @Test("an output that the policy denies sends nothing of a place")
  func denied() throws {
    let receiver = try DatagramReceiver()
    let rig = try ServiceRig(policy: "applications: {org.lodestar.gdl90: {authorization: denied}}")
    {
      $0.gdl90.destination = DatagramAddress("127.0.0.1:\(receiver.port)")
    }
    let isPlace = { (packet: [UInt8]) in packet.starts(with: [0x7E, 10]) && packet[14] != 0 }
    #expect(datagrams(receiver, rig) { $0.count >= 40 }.allSatisfy { !isPlace($0) })
    rig.daemon.stop()
  }
}
