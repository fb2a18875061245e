import ArgumentParser
import EarthModel
import Foundation
import Fusion
import Quantities

/// Recorded drives: fixes withheld one in five, and outages.
struct DrivesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drives", abstract: "Withheld fixes of recorded drives (drive.py's CSV).")

  @Flag(help: "The large errors.")
  var verbose = false
  @Argument(help: "Sensor CSV files.")
  var files: [String]
  @Option(help: "Acceleration noise, m/s²·√s.")
  var noise = PositionFilter.Parameters().accelerationNoise
  @Option(help: "Memory of the velocity, s.")
  var memory = PositionFilter.Parameters().velocityMemory
  @Option(help: "Usual speed, m/s.")
  var speed = PositionFilter.Parameters().usualSpeed
  @Option(help: "Share of the accuracy that is new in each fix.")
  var share = PositionFilter.Parameters().newErrorShare
  @Option(help: "Error of a velocity without a stated one, m/s.")
  var velocity = PositionFilter.Parameters().unstatedVelocitySigma
  @Option(help: "Correlation time of the receiver's error, s.")
  var correlation = PositionFilter.Parameters().receiverErrorTime

  func run() throws {
    for file in files {
      let fixes = try Self.fixes(file)
      print(file, fixes.count, "fixes")
      try oneInFive(fixes)
      for length in [30.0, 60] { try outages(fixes, length) }
    }
  }

  private var parameters: PositionFilter.Parameters {
    var p = PositionFilter.Parameters()
    (p.accelerationNoise, p.velocityMemory, p.usualSpeed) = (noise, memory, speed)
    (p.newErrorShare, p.unstatedVelocitySigma, p.receiverErrorTime) = (share, velocity, correlation)
    return p
  }

  static func distance(_ a: GeodeticPosition, _ b: GeodeticPosition) -> Double {
    let d = LocalPlane(origin: a).metres(to: b)
    return (d * d).sum().squareRoot()
  }

  static func dead(_ f: Fix, at t: Timestamp) -> GeodeticPosition? {
    guard let p = f.position, let v = f.speedMetresPerSecond else { return nil }
    guard let c = f.course else { return p }
    return LocalPlane(origin: p).place(
      at: SIMD2(Double.cos(c.radians), Double.sin(c.radians)) * (v * t.seconds(since: f.timestamp)))
  }

  private func oneInFive(_ fixes: [Fix]) throws {
    var filter = PositionFilter(parameters: parameters)
    var (ours, held, straight, n) = (0.0, 0.0, 0.0, 0.0)
    var hits = 0.0
    var last: Fix?
    for (i, fix) in fixes.enumerated() {
      if i % 5 == 4, let last, let s = filter.solution(at: fix.timestamp), let p = fix.position,
        let a = last.position, let d = Self.dead(last, at: fix.timestamp)
      {
        let e = Self.distance(s.position, p)
        ours += e * e
        if verbose, e > 15 {
          print(
            "   ", i, fix.timestamp.seconds, e, Self.distance(d, p),
            fix.horizontalAccuracyMetres ?? -1, fix.speedMetresPerSecond ?? -1, s.fixAgeSeconds,
            fixes[i - 1].horizontalAccuracyMetres ?? -1,
            fix.timestamp.seconds - fixes[i - 1].timestamp.seconds)
        }
        hits += e <= s.horizontalAccuracyMetres ? 1 : 0
        held += Self.distance(a, p) * Self.distance(a, p)
        straight += Self.distance(d, p) * Self.distance(d, p)
        n += 1
        continue
      }
      filter.update(fix)
      last = fix
    }
    print(
      String(
        format: "  one in five: RMS %.2f m; last fix %.2f; last velocity %.2f; coverage %.2f",
        (ours / n).squareRoot(), (held / n).squareRoot(), (straight / n).squareRoot(), hits / n))
  }

  private func outages(_ fixes: [Fix], _ length: Double) throws {
    var filter = PositionFilter(parameters: parameters)
    var ours: [Double] = []
    var dead: [Double] = []
    var (hits, n, all) = (0.0, 0.0, 0.0)
    var last: Fix?
    let period = length * 4
    for (i, fix) in fixes.enumerated() {
      let phase = fix.timestamp.seconds.truncatingRemainder(dividingBy: period)
      guard phase >= period - length, let last, let p = fix.position else {
        filter.update(fix)
        last = fix
        continue
      }
      guard let s = filter.solution(at: fix.timestamp), let d = Self.dead(last, at: fix.timestamp)
      else { continue }
      let e = Self.distance(s.position, p)
      hits += e <= s.horizontalAccuracyMetres ? 1 : 0
      all += 1
      let isLast =
        i + 1 == fixes.count
        || fixes[i + 1].timestamp.seconds.truncatingRemainder(dividingBy: period) < period - length
      guard isLast else { continue }
      ours.append(e)
      dead.append(Self.distance(d, p))
      n += 1
    }
    func rms(_ x: [Double]) -> Double {
      (x.map { $0 * $0 }.reduce(0, +) / Double(max(1, x.count))).squareRoot()
    }
    func median(_ x: [Double]) -> Double { x.isEmpty ? .nan : x.sorted()[x.count / 2] }
    print(
      String(
        format:
          "  %2.0f s: %3d outages, RMS %.1f m (last velocity %.1f), median %.1f (%.1f), coverage %.2f",
        length, ours.count, rms(ours), rms(dead), median(ours), median(dead), hits / max(1, all)))
  }

  static func fixes(_ file: String) throws -> [Fix] {
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let names = lines[0].split(separator: ",").map(String.init)
    func index(_ name: String) -> Int { names.firstIndex(of: name) ?? -1 }
    let columns = ["t", "lat", "lon", "hacc", "speed", "course"].map(index)
    return lines.dropFirst().compactMap { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      func value(_ i: Int) -> Double? {
        columns[i] < 0 ? nil : Double(cells[columns[i]])
      }
      guard let t = value(0), let a = value(1), let b = value(2) else { return nil }
      var fix = Fix(timestamp: Timestamp(nanoseconds: UInt64(t * 1e9)), kind: .threeDimensional)
      fix.position = GeodeticPosition(latitudeDegrees: a, longitudeDegrees: b)
      fix.horizontalAccuracyMetres = value(3)
      fix.speedMetresPerSecond = value(4)
      fix.course = value(5).map { Angle(degrees: $0) }
      return fix
    }
  }
}
