import CalibrationFit
import RecordedTrials
import Study

/// Fits beside a worse gyroscope: a row for each trouble, for a minute and for whole trials.
struct GyroscopeTable {
  private static let lengths: [Double] = [30, 60, 500]

  private let data: StudyData
  private let trials: [Trial]
  private let draws: Int
  private let fit: ForwardFit
  private var table = TextTable(
    header: ["gyroscope"]
      + ["30 s", "60 s", "whole"].flatMap {
        ["\($0): error", "worst", "predicted", "within 2 sigma %", "rate scale %"]
      } + ["inside out"])

  init(_ data: StudyData, draws: Int, fit: ForwardFit) throws {
    (self.data, self.draws, self.fit) = (data, draws, fit)
    trials = try StudyData.rotations.map { try data.trial($0) }
  }

  mutating func add(_ title: String, _ trouble: GyroscopeTrouble) {
    var row = [title]
    var insideOut = 0
    let (data, trials, draws, fit) = (self.data, self.trials, self.draws, self.fit)
    for length in Self.lengths {
      let fits = parallel(trials.count * draws) { n in
        Segment(of: trials[n / draws], seconds: length, number: n % draws, gyroscope: trouble)
          .fitted(fit, data)
      }.compactMap { $0 }
      let errors = fits.flatMap(\.errors)
      insideOut += fits.filter(\.isInsideOut).count
      row += [
        spread(errors), word(errors.max() ?? .nan, 1), middle(fits.map(\.predicted)),
        percent(share(fits.flatMap(\.pairs)) { $0.actual < 2 * $0.predicted }, 0),
        middle(fits.map { 100 * $0.solution.rateScale }),
      ]
    }
    table.add(row + ["\(insideOut)"])
  }

  func show() { table.showMarkdown() }
}
