import Foundation
import LinuxIO
import LocationHost
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

@Suite("Signal K by datagrams", .timeLimit(.minutes(30)))
struct SignalKOutputTests {
  private struct Delta: Decodable {
    struct Update: Decodable {
      struct Value: Decodable {
        var path: String
        var value: Content
      }

      var source: String
      var timestamp: String?
      var values: [Value]

      enum CodingKeys: String, CodingKey {
        case source = "$source"
        case timestamp, values
      }
    }

    enum Content: Decodable, Equatable {
      case number(Double), place([String: Double]), text(String), none

      init(from decoder: any Decoder) throws {
        let one = try decoder.singleValueContainer()
        if one.decodeNil() {
          self = .none
        } else if let number = number(one) {
          self = .number(number)
        } else if let text = text(one) {
          self = .text(text)
        } else {
          self = .place(try one.decode([String: Double].self))
        }
        func number(_ one: any SingleValueDecodingContainer) -> Double? {
          do { return try one.decode(Double.self) } catch { return nil }
        }
        func text(_ one: any SingleValueDecodingContainer) -> String? {
          do { return try one.decode(String.self) } catch { return nil }
        }
      }
    }

    var context: String
    var updates: [Update]
  }

  private static func fix(_ number: Int) -> Estimate {
    var estimate = Estimate.fix(latitude: 54.5123, longitude: 10.25, at: Double(number + 1) * 0.1)
    estimate.magneticHeading = MagneticHeading(Angle(radians: 0.5))
    return estimate
  }

  /// The values that arrive while estimates are sent, until a condition holds.
  private func values(
    _ rig: ServiceRig, _ receiver: DatagramReceiver, estimate: (Int) -> Estimate = fix,
    until isEnough: ([String: Delta.Content]) -> Bool
  ) throws -> [String: Delta.Content] {
    var values: [String: Delta.Content] = [:]
    for number in 0..<400 where !isEnough(values) {
      rig.publisher.send(estimate(number))
      guard let bytes = receiver.next(within: 25) else { continue }
      #expect(bytes.count <= 1400)
      let delta = try JSONDecoder().decode(Delta.self, from: Data(bytes))
      #expect(delta.context == "vessels.self")
      for update in delta.updates {
        #expect(update.source.hasPrefix("lodestar."))
        for one in update.values { values[one.path] = one.value }
      }
    }
    return values
  }

  @Test("a value that is lost is sent as null, and the position is that of the server's accuracy")
  func datagrams() throws {
    for isReduced in [false, true] {
      let receiver = try DatagramReceiver()
      let rig = try ServiceRig(
        policy: isReduced
          ? "applications:\n  org.lodestar.signalk: {authorization: always, accuracy: reduced}\n"
          : ""
      ) { $0.signalK.destination = DatagramAddress("127.0.0.1:\(receiver.port)") }
      let position = "navigation.position"
      let known = try values(rig, receiver) {
        $0[position] != nil && $0["navigation.headingMagnetic"] != nil
      }
      #expect(known["navigation.headingMagnetic"] == .number(0.5))
      guard case .place(let place) = known[position], let latitude = place["latitude"] else {
        Issue.record("\(known)")
        continue
      }
      #expect((abs(latitude - 54.5123) < 1e-6) == !isReduced, "\(latitude)")
      #expect(known["navigation.headingTrue"] == nil)
      let lost = try values(rig, receiver) {
        var estimate = Self.fix($0 + 500)
        estimate.magneticHeading = nil
        return estimate
      } until: {
        $0["navigation.headingMagnetic"] == Delta.Content.none
      }
      #expect(lost["navigation.headingMagnetic"] == Delta.Content.none)
      rig.daemon.stop()
    }
  }

  @Test("keys that are not allowed are refused")
  func keys() {
    for (key, text) in [
      ("signalk-port", "70000"), ("signalk-udp", "localhost:1"), ("signalk-mmsi", "123"),
      ("signalk-mmsi", "111234560"),
    ] { #expect(ServeKey.fault(of: text, for: key) != nil, "\(key): \(text)") }
    for (key, text) in [
      ("signalk-port", "3000"), ("signalk-udp", "[::1]:8375"), ("signalk-mmsi", "211234560"),
    ] { #expect(ServeKey.fault(of: text, for: key) == nil, "\(key): \(text)") }
  }
}
