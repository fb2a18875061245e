import ArgumentParser
import Foundation
import Fusion
import Quantities
import RecordedTrials
import Study

/// The estimator on every set of recorded trials and every stress variant, beside VQF.
struct SetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sets",
    abstract: "Errors, accuracy, lost trials and lies by group, beside VQF.",
    discussion: "FOLDER is what Benchmarks/trials.py has written. Scored as score_phones.py scores."
  )

  @Argument(help: "The folder of prepared trials.")
  var folder: String

  @Option(parsing: .upToNextOption, help: "Only trials whose group or file holds one of these.")
  var only: [String] = []

  @Flag(help: "A line for each trial.")
  var each = false

  @Option(
    name: .customLong("set"), parsing: .upToNextOption,
    help: "Parameters of StrapdownFilter as name=value.")
  var settings: [String] = []

  func run() throws {
    let parameters = try tunedParameters(settings)
    let listed = try PreparedTrial.list(folder).filter { trial in
      only.isEmpty || only.contains { trial.group.contains($0) || trial.file.contains($0) }
    }
    let folder = folder
    let scores = try parallel(listed.count) { n in
      Result { try SetScore(listed[n], folder: folder, parameters) }
    }.map { try $0.get() }
    if each { showEach(scores) }
    var table = TextTable(
      "group", "n", "heading", "incl.", "worst", "cover", "says", "lost", "lies", "VQF", "incl.",
      "lost", "ratio", "score", "constant")
    for group in listed.map(\.group).uniqued {
      table.add(row(group, scores.filter { $0.trial.group == group }))
    }
    table.show()
  }

  private func showEach(_ scores: [SetScore]) {
    var table = TextTable(
      "trial", "heading", "incl.", "cover", "says", "lost", "lies", "VQF", "incl.")
    for s in scores {
      table.add([
        s.trial.file, word(s.heading), word(s.inclination), word(s.coverage, 3),
        word(s.accuracy, 1), s.isLost ? "lost" : "", s.isLie ? "lie" : "",
        word(s.trial.peerHeading), word(s.trial.peerInclination),
      ])
    }
    table.show()
    say("")
  }

  private func row(_ group: String, _ scores: [SetScore]) -> [String] {
    func mean(_ f: (SetScore) -> Double) -> Double {
      scores.reduce(0) { $0 + f($1) } / Double(scores.count)
    }
    let peer = mean(\.trial.peerHeading)
    let judged = scores.flatMap(\.judged)
    let sorted = judged.map(\.error).sorted()
    let constant = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    let count = Double(max(1, judged.count))
    let own = judged.reduce(0) { $0 + Score.quantileScore(error: $1.error, radius: $1.radius) }
    let best = sorted.reduce(0) { $0 + Score.quantileScore(error: $1, radius: constant) }
    return [
      group, "\(scores.count)", word(mean(\.heading)), word(mean(\.inclination)),
      word(scores.map(\.heading).max() ?? 0, 1), word(mean(\.coverage), 3),
      word(mean(\.accuracy), 1), "\(scores.filter(\.isLost).count)",
      "\(scores.filter(\.isLie).count)", word(peer), word(mean(\.trial.peerInclination)),
      "\(scores.filter(\.trial.isPeerLost).count)", word(mean(\.heading) / peer),
      word(own / count, 1), word(best / count, 1),
    ]
  }
}

/// A line of the list that `trials.py` writes.
struct PreparedTrial: Sendable {
  let file: String
  let group: String
  let peerHeading: Double
  let peerInclination: Double
  let isPeerLost: Bool

  static func list(_ folder: String) throws -> [PreparedTrial] {
    let path = folder + "/trials.csv"
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StudyError("\(path): missing; run Benchmarks/trials.py")
    }
    let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.dropFirst().compactMap { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 5 else { return nil }
      return PreparedTrial(
        file: cells[0], group: cells[1], peerHeading: Double(cells[2]) ?? .nan,
        peerInclination: Double(cells[3]) ?? .nan, isPeerLost: cells[4] != "0")
    }
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

  private static let columns = 16
  private static let farOff = 20.0
  private static let claim = 10.0

  init(_ trial: PreparedTrial, folder: String, _ p: StrapdownFilter.Parameters) throws {
    self.trial = trial
    let path = folder + "/" + trial.file
    guard let data = FileManager.default.contents(atPath: path), data.count >= 16,
      data.prefix(8) == Data("LODETRL1".utf8)
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
            fromByteOffset: 16 + 8 * (row * Self.columns + column), as: Double.self)
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

extension Array where Element: Hashable {
  /// Each element once, in the order of its first.
  fileprivate var uniqued: [Element] {
    var seen = Set<Element>()
    return filter { seen.insert($0).inserted }
  }
}
