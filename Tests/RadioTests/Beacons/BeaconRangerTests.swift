import Foundation
import Quantities
import Radio
import Testing

@Suite("Ranging", .timeLimit(.minutes(30)))
struct BeaconRangerTests {
  private static let all = BeaconConstraint(uuid: .test(1))

  @Test("at the measured power a beacon is 1 m away, and 20 dB are a factor of 10 in free space")
  func pathLoss() throws {
    let range = RSSIRange()
    func metres(_ rssi: Double) throws -> Double {
      try #require(range.metres(rssiDBm: rssi, measuredPowerDBm: -59))
    }
    #expect(abs(try metres(-59) - 1) < 1e-12)
    #expect(abs(try metres(-79) - 10) < 1e-9)
    #expect(abs(try metres(-39) - 0.1) < 1e-9)
    #expect(range.metres(rssiDBm: .nan, measuredPowerDBm: -59) == nil)
    #expect(range.metres(rssiDBm: .infinity, measuredPowerDBm: -59) == nil)
    #expect(try metres(-1e9) == 10_000)
    let walls = try #require(
      RSSIRange(exponent: 4).metres(rssiDBm: -99, measuredPowerDBm: -59))
    #expect(abs(walls - 10) < 1e-9)
  }

  @Test("immediate ends at 0.5 m and near at 3 m")
  func proximity() {
    #expect(BeaconProximity(metres: 0.499) == .immediate)
    #expect(BeaconProximity(metres: 0.5) == .near)
    #expect(BeaconProximity(metres: 3) == .near)
    #expect(BeaconProximity(metres: 3.01) == .far)
    #expect(BeaconProximity(metres: nil) == .unknown)
  }

  @Test("the strength is the mean since the last report")
  func mean() {
    var ranger = BeaconRanger(Self.all)
    for rssi in [-50, -60, -70] { ranger.add(.test(1, rssi, at: 0.1)) }
    #expect(ranger.report(at: .after(1)).map(\.rssiDBm) == [-60])
    ranger.add(.test(1, -81, at: 1.5))
    ranger.add(.test(1, -80, at: 1.6))
    #expect(ranger.report(at: .after(2)).map(\.rssiDBm) == [-81])
    // Nothing new: the last mean.
    #expect(ranger.report(at: .after(3)).map(\.rssiDBm) == [-81])
  }

  @Test("a strength that no controller measures is not averaged")
  func unmeasurable() {
    var ranger = BeaconRanger(Self.all)
    for rssi in [-60, 127, -400, 21] { ranger.add(.test(1, rssi, at: 0.1)) }
    #expect(ranger.report(at: .after(1)).map(\.rssiDBm) == [-60])
  }

  @Test("the distance follows a step within some seconds, without overshoot")
  func smoothing() throws {
    var ranger = BeaconRanger(Self.all)
    var distances: [Double] = []
    for second in 0..<20 {
      ranger.add(.test(1, second < 10 ? -59 : -79, at: Double(second) + 0.5))
      let beacon = try #require(ranger.report(at: .after(Double(second) + 1)).first)
      distances.append(try #require(beacon.accuracyMetres))
    }
    #expect(distances[..<10].allSatisfy { abs($0 - 1) < 1e-9 })
    #expect(zip(distances[9...], distances[10...]).allSatisfy { $0 < $1 })
    #expect(distances[10] < 3)
    #expect(distances[19] > 9 && distances[19] <= 10)
  }

  @Test("beacons are listed nearest first, those of unknown distance last")
  func order() {
    var ranger = BeaconRanger(Self.all)
    ranger.add(.test(9, -40, at: 0))
    _ = ranger.report(at: .after(1))
    for (minor, rssi) in [(1, -80), (2, -50), (3, -65), (4, -50)] as [(UInt16, Int)] {
      ranger.add(.test(minor, rssi, at: 4))
    }
    ranger.add(.test(8, nil, at: 4))
    let report = ranger.report(at: .after(4.5))
    #expect(report.map(\.identity.minor) == [2, 4, 3, 1, 8, 9])
    #expect(report.suffix(2).allSatisfy { $0.proximity == .unknown && $0.rssiDBm == nil })
  }

  @Test("a silent beacon keeps its values for 3 s, is unknown until 10 s, then is not listed")
  func silence() {
    var ranger = BeaconRanger(Self.all)
    ranger.add(.test(1, -59, at: 0))
    var states: [BeaconProximity?] = []
    for second in 1...11 {
      states.append(ranger.report(at: .after(Double(second))).first?.proximity)
    }
    var expected: [BeaconProximity?] = [.near, .near]
    expected += [BeaconProximity?](repeating: .unknown, count: 7)
    expected += [nil, nil]
    #expect(states == expected)
    #expect(ranger.count == 0)
  }

  @Test("after a silence the distance of a beacon starts again")
  func comesBack() throws {
    var ranger = BeaconRanger(Self.all)
    ranger.add(.test(1, -39, at: 0))
    _ = ranger.report(at: .after(1))
    ranger.add(.test(1, -79, at: 6))
    let beacon = try #require(ranger.report(at: .after(6.5)).first)
    #expect(abs(try #require(beacon.accuracyMetres) - 10) < 1e-9)
  }

  @Test("beacons outside the constraint are not tracked")
  func constraint() {
    var ranger = BeaconRanger(BeaconConstraint(uuid: .test(1), major: 1, minor: 2))
    ranger.add(.test(1, -50, at: 0))
    ranger.add(.test(2, -50, at: 0))
    #expect(ranger.report(at: .after(1)).map(\.identity.minor) == [2])
    #expect(ranger.count == 1)
  }

  @Test("at the capacity the beacon with the longest silence is removed")
  func capacity() {
    var parameters = BeaconRanger.Parameters()
    parameters.capacity = 10
    var ranger = BeaconRanger(Self.all, parameters: parameters)
    for minor in 0..<1000 as Range<UInt16> {
      ranger.add(.test(minor, -50, at: Double(minor) * 0.001))
    }
    #expect(ranger.count == 10)
    #expect(ranger.report(at: .after(1)).map(\.identity.minor) == Array(990..<1000))
  }
}
