import RecordedTrials
import Study

/// The trials of the reference data and the heading errors computed with them.
struct StudyData: Sendable {
  /// Nothing magnetic was near, and the sensor turned.
  static let rotations = ["02", "04", "07", "08"]
  /// Nothing magnetic was near, and the sensor was carried about.
  static let translations = ["10", "12", "16"]
  /// Both: calibrations are evaluated on these.
  static let undisturbed = rotations + translations
  /// Something shook the sensor or bent the field.
  static let disturbed = ["24", "26", "28", "33", "35"]

  private let trials: [String: Trial]
  private let judges: [HeadingJudge]

  /// Loads the trials. Fits use every `every`-th sample; errors are computed from all.
  init(shared: String, every: Int) throws {
    let list = try loadTrials(shared: shared)
    trials = Dictionary(
      list.map { ($0.name, every > 1 ? $0.every(every) : $0) },
      uniquingKeysWith: { first, _ in first })
    judges = list.filter { Self.undisturbed.contains($0.name) }.map { HeadingJudge($0) }
  }

  func trial(_ name: String) throws -> Trial {
    guard let trial = trials[name] else { throw StudyError("trial \(name) is not in the folder") }
    return trial
  }

  /// The undisturbed trials but one.
  func judges(except name: String) -> [HeadingJudge] { judges.filter { $0.name != name } }

  /// One trial that stands for the others where a judgement is asked for often.
  func witness(of name: String) throws -> HeadingJudge {
    let other = name == "02" ? "04" : "02"
    guard let judge = judges.first(where: { $0.name == other }) else {
      throw StudyError("trial \(other) is not in the folder")
    }
    return judge
  }
}
