import Foundation
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// Sources that are frozen or contradict themselves, and sources at rest that only look so.
@Suite("Faults of sources of positions", .timeLimit(.minutes(30)))
struct PositionCheckTests {
  /// Two sources that report once a second to one choice.
  private struct Line {
    var choice = PositionChoice()
    private var second = 0
    private(set) var uses = ""

    func fault(_ index: Int) -> PositionFault? { choice.source(index, .receiver)?.fault }

    mutating func report(_ fixes: [Fix?]) {
      let now = Timestamp(nanoseconds: UInt64(second + 1000) * 1_000_000_000)
      for (index, fix) in fixes.enumerated() {
        guard var fix else { continue }
        // A repeated instant keeps the arrival of its first report.
        if fix.timestamp.nanoseconds == 0 { fix.timestamp = now }
        let arrival = now.advanced(bySeconds: 0.1 * Double(index + 1))
        if choice.decide(fix, of: index, at: arrival) != .leave { uses += "\(index)" }
      }
      second += 1
    }
  }

  private static let start = UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
  private static let metresInRadian = 6_370_000.0

  private func fix(
    second: Double, north: Double = 0, east: Double = 0, speed: Double? = nil,
    accuracy: Double? = 3, decimals: Int? = nil
  ) -> Fix {
    var fix = Fix(timestamp: Timestamp(nanoseconds: 0), kind: .threeDimensional)
    fix.utc = Self.start.advanced(bySeconds: second)
    func minutes(_ metres: Double) -> Double {
      let minutes = metres / Self.metresInRadian * 180 / .pi * 60
      guard let decimals else { return minutes }
      let scale = pow(10, Double(decimals))
      return (minutes * scale).rounded() / scale
    }
    fix.position = GeodeticPosition(
      latitudeDegrees: minutes(north) / 60 + 54, longitudeDegrees: minutes(east) / 60 + 10)
    fix.speedMetresPerSecond = speed
    fix.horizontalAccuracyMetres = accuracy
    return fix
  }

  @Test("an instant that is repeated for 5 s is frozen, and the other source is used")
  func clockStands() {
    var line = Line()
    var frozen: Fix?
    for second in 0..<40 {
      var better = fix(second: Double(second), accuracy: 1)
      if second >= 20 {
        better = frozen ?? better
      } else {
        better.timestamp = Timestamp(nanoseconds: UInt64(second + 1000) * 1_000_000_000)
        frozen = better
      }
      line.report([better, fix(second: Double(second), north: 30, accuracy: 5)])
    }
    #expect(line.fault(0) == .clockStands && line.fault(1) == nil)
    #expect(line.uses.hasPrefix(String(repeating: "0", count: 20)))
    // The last second that is seen is used for 5 s at most.
    #expect(line.uses.dropFirst(25).allSatisfy { $0 == "1" }, "\(line.uses)")
  }

  @Test(
    "a position that stands while its own speed moves it is frozen, one at rest is not",
    arguments: [(8.0, true), (0.3, false), (1.5, false)])
  func ownSpeed(speed: Double, isFrozen: Bool) {
    var line = Line()
    for second in 0..<200 {
      line.report([fix(second: Double(second), north: 12.345, east: 6.789, speed: speed)])
    }
    #expect(line.fault(0) == (isFrozen ? .positionStands : nil))
    // Alone it stays.
    #expect(line.uses.count == 200)
  }

  @Test("a position that stands while another source drives away is frozen")
  func otherSource() {
    var line = Line()
    for second in 0..<60 {
      let way = Double(max(0, second - 20)) * 12
      line.report([
        fix(second: Double(second), north: 1, speed: 0, accuracy: 1),
        fix(second: Double(second), north: way, speed: second > 20 ? 12 : 0, accuracy: 4),
      ])
    }
    #expect(line.fault(0) == .positionStands && line.fault(1) == nil)
    #expect(line.uses.last == "1" && line.uses.first == "0")
  }

  @Test("a time that goes back again and again, and one that did once")
  func clockGoesBack() {
    var (mixed, restarted) = (Line(), Line())
    for second in 0..<60 {
      // Two receivers with one talker, one of them late by 3 s.
      let late = second % 2 == 0 ? 0.0 : 3
      mixed.report([fix(second: Double(second) - late, accuracy: 1), fix(second: Double(second))])
      let clock = Double(second) - (second > 30 ? 20 : 0)
      restarted.report([fix(second: clock, accuracy: 1), fix(second: Double(second))])
    }
    #expect(mixed.fault(0) == .clockGoesBack && mixed.uses.last == "1")
    #expect(restarted.fault(0) == nil && restarted.uses.last == "0")
  }

  @Test("jumps beyond speed and accuracy are a fault, a drive and a single jump are not")
  func jumps() {
    var (hopping, driving, single) = (Line(), Line(), Line())
    for second in 0..<80 {
      let hop = second % 4 == 0 ? 400.0 : 0
      let time = Double(second)
      hopping.report([
        fix(second: time, north: hop, speed: 1, accuracy: 2), fix(second: time, accuracy: 9),
      ])
      driving.report([fix(second: time, north: 40 * time, speed: 40, accuracy: 2)])
      single.report([fix(second: time, north: second > 30 ? 900 : 0, speed: 0, accuracy: 2)])
    }
    #expect(hopping.fault(0) == .positionJumps && hopping.uses.last == "1")
    #expect(driving.fault(0) == nil && single.fault(0) == nil)
  }

  @Test("a fault ends after a minute without contradictions, and the better source returns")
  func recovery() {
    var line = Line()
    for second in 0..<120 {
      let hop = second < 30 && second % 3 == 0 ? 400.0 : 0
      line.report([
        fix(second: Double(second), north: hop, speed: 1, accuracy: 2),
        fix(second: Double(second), accuracy: 9),
      ])
    }
    #expect(line.fault(0) == nil && line.uses.last == "0" && line.uses.contains("1"))
    let changes = zip(line.uses, line.uses.dropFirst()).count { $0 != $1 }
    #expect(changes == 2, "\(line.uses)")
  }

  /// At rest with any resolution, static hold, noisy speeds and a second source that wanders: an
  /// hour at one report a second.
  @Test("a source at rest is never frozen nor contradictory", arguments: Array(UInt64(1)...60))
  func atRest(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var line = Line()
    let decimals = Int(seed % 7)
    let accuracy = [0.02, 1.5, 4, nil][Int(seed % 4)]
    let noise = accuracy ?? 5
    var (wander, drift) = (SIMD2(0.0, 0.0), SIMD2(0.0, 0.0))
    for second in 0..<3600 {
      // Slow errors of the size of the accuracy, held below a step (static hold).
      drift =
        drift * 0.99 + SIMD2(random.normal(), random.normal()) * noise * 0.14
      if second % Int.random(in: 1...60, using: &random) == 0 { wander = drift }
      let speed = abs(random.normal()) * 0.4
      let other = SIMD2(random.normal(), random.normal()) * 12
      line.report([
        fix(
          second: Double(second), north: wander.x, east: wander.y, speed: speed,
          accuracy: accuracy, decimals: decimals),
        fix(second: Double(second), north: other.x, east: other.y, speed: speed, accuracy: 8),
      ])
      if let fault = line.fault(0) {
        Issue.record("seed \(seed), second \(second): \(fault.rawValue)")
        return
      }
    }
  }
}

extension SeededGenerator {
  /// A normally distributed number of sigma 1 (Box and Muller).
  fileprivate mutating func normal() -> Double {
    let radius = (-2 * log(Double.random(in: 1e-12..<1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}
