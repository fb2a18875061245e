import Foundation
import Fusion
import Quantities
import RecordedTrials
import Study

/// A line of the list that `trials.py` writes.
struct PreparedTrial: Sendable {
  let file: String
  let group: String
  /// The recording's source: trials of one set share sensors and rig.
  let set: String
  let peerHeading: Double
  let peerInclination: Double
  let isPeerLost: Bool

  /// Those whose group or file holds a word of `only`; empty: all.
  static func list(_ folder: String, only: [String] = []) throws -> [PreparedTrial] {
    let path = folder + "/trials.csv"
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StudyError("\(path): missing; run Benchmarks/trials.py")
    }
    let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.dropFirst().compactMap { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 6 else { return nil }
      return PreparedTrial(
        file: cells[0], group: cells[1], set: cells[2], peerHeading: Double(cells[3]) ?? .nan,
        peerInclination: Double(cells[4]) ?? .nan, isPeerLost: cells[5] != "0")
    }.filter { trial in
      only.isEmpty || only.contains { trial.group.contains($0) || trial.file.contains($0) }
    }
  }
}

extension PreparedTrial {
  static let magic = Data("LODETRL1".utf8)
  static let columns = 16

  /// A file's bytes: the number of rows, then each row's columns as `trials.py` defines them.
  static func encoded(_ rows: [[Double]]) -> Data {
    var data = magic
    withUnsafeBytes(of: UInt64(rows.count).littleEndian) { data.append(contentsOf: $0) }
    for cell in rows.joined() {
      withUnsafeBytes(of: cell.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }
}

/// A trial's figures, degrees.
struct SetScore: Sendable {
  let trial: PreparedTrial
  var heading = 0.0
  var inclination = 0.0
  var coverage = 0.0
  var accuracy = 0.0
  /// Off by more than 20 degrees for 10 s or longer.
  var isLost = false
  /// The same while less than 10 degrees is stated.
  var isLie = false
  /// Error and stated radius of every fourth judged sample.
  var judged: [(error: Double, radius: Double)] = []

  private static let farOff = 20.0
  private static let claim = 10.0

  static func all(
    _ trials: [PreparedTrial], folder: String, _ p: StrapdownFilter.Parameters
  ) throws -> [SetScore] {
    try parallel(trials.count) { n in
      Result { try SetScore(trials[n], folder: folder, p) }
    }.map { try $0.get() }
  }

  init(_ trial: PreparedTrial, folder: String, _ p: StrapdownFilter.Parameters) throws {
    self.trial = trial
    let path = folder + "/" + trial.file
    guard let data = FileManager.default.contents(atPath: path), data.count >= 16,
      data.prefix(8) == PreparedTrial.magic
    else { throw StudyError("\(path): not a prepared trial; remove it and run trials.py") }
    var estimator = AttitudeEstimator(parameters: p)
    var (off, lie) = (Spell(), Spell())
    var count = 0.0
    let mount = AxisMount.standard.rotation
    data.withUnsafeBytes { bytes in
      let rows = Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      for row in 0..<rows {
        func cell(_ column: Int) -> Double {
          bytes.loadUnaligned(
            fromByteOffset: 16 + 8 * (row * PreparedTrial.columns + column), as: Double.self)
        }
        func vector(_ first: Int) -> SIMD3<Double> {
          mount.rotate(SIMD3(cell(first), cell(first + 1), cell(first + 2)))
        }
        let seconds = cell(0) - bytes.loadUnaligned(fromByteOffset: 16, as: Double.self)
        let timestamp = Timestamp(nanoseconds: UInt64((seconds * 1e9).rounded()))
        estimator.update(
          InertialSample<BodyFrame>(
            timestamp: timestamp, angularRate: AngularRate(components: vector(1)),
            specificForce: SpecificForce(components: vector(4))))
        let field = vector(7)
        if field.x.isFinite {
          estimator.update(
            FieldSample<BodyFrame>(
              timestamp: timestamp, field: MagneticField(components: field)))
        }
        guard cell(14) > 0.5, let solution = estimator.solution,
          let truth = Trial.truth(w: cell(10), x: cell(11), y: cell(12), z: cell(13))
        else {
          off.add(false, at: seconds)
          lie.add(false, at: seconds)
          continue
        }
        let judgement = Judgement(solution, truth: truth, at: seconds)
        let error = abs(judgement.heading)
        heading += error * error
        inclination += judgement.inclination * judgement.inclination
        coverage += error <= judgement.accuracy ? 1 : 0
        accuracy += judgement.accuracy
        count += 1
        off.add(error > Self.farOff, at: seconds)
        lie.add(error > Self.farOff && judgement.accuracy < Self.claim, at: seconds)
        if row % 4 == 0 { judged.append((error, judgement.accuracy)) }
      }
    }
    count = max(1, count)
    heading = (heading / count).squareRoot()
    inclination = (inclination / count).squareRoot()
    coverage /= count
    accuracy /= count
    (isLost, isLie) = (off.longest >= 10, lie.longest >= 10)
  }
}

/// The longest time for which something was true.
private struct Spell {
  private(set) var longest = 0.0
  private var start: Double?

  mutating func add(_ isTrue: Bool, at t: Double) {
    guard isTrue else {
      start = nil
      return
    }
    let begin = start ?? t
    start = begin
    longest = max(longest, t - begin)
  }
}
