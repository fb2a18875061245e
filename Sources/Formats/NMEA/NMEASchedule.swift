import Quantities

/// Selects the sentences that are due: each at its own rate, those of a fix once for each fix.
///
/// A line of 4800 baud carries 480 characters a second. With the default rates a stream needs about 330: twice
/// a second HDG, HDM and HDT (67 characters together), once GGA, RMC and VTG (195).
public struct NMEASchedule: Sendable {
  /// A sentence that can be written.
  public enum Sentence: String, CaseIterable, Sendable {
    case hdg, hdm, hdt, ths, gga, rmc, vtg

    /// The sentence of a name such as `HDG`, in any case; nil for an unsupported one.
    public init?(name: String) { self.init(rawValue: name.lowercased()) }

    /// True for a sentence with the values of a fix.
    var isOfFix: Bool {
      switch self {
      case .hdg, .hdm, .hdt, .ths: false
      case .gga, .rmc, .vtg: true
      }
    }

    /// The default rate a second.
    public var usualRate: Double { isOfFix ? 1 : 2 }

    /// Plotters read HDG, HDM and HDT, which have no mode field; THS is written on request.
    static let usual: [Sentence] = [.hdg, .hdm, .hdt, .gga, .rmc, .vtg]
  }

  /// The tolerance of the due time, half an estimate's interval, s.
  private static let slack = 0.005

  private let rates: [(sentence: Sentence, perSecond: Double)]
  private var written: [Sentence: (at: Timestamp, fix: Timestamp?)] = [:]

  /// Makes a schedule of some sentences.
  /// - Parameter rates: The greatest rate of each sentence a second; the others are never written.
  public init(mostPerSecond rates: [Sentence: Double]) {
    self.rates = Sentence.allCases.compactMap { sentence in rates[sentence].map { (sentence, $0) } }
  }

  /// Makes a schedule of the usual sentences.
  /// - Parameter headingsPerSecond: The rate of HDG, HDM and HDT each; nil for the default.
  public init(headingsPerSecond: Double? = nil) {
    var rates: [Sentence: Double] = [:]
    for sentence in Sentence.usual {
      let rate = sentence.isOfFix ? nil : headingsPerSecond
      rates[sentence] = rate ?? sentence.usualRate
    }
    self.init(mostPerSecond: rates)
  }

  /// The sentences that are due at an estimate, each with checksum, CR and LF.
  public mutating func sentences(for estimate: Estimate) -> [UInt8] {
    var bytes: [UInt8] = []
    for (sentence, rate) in rates where isDue(sentence, rate, at: estimate) {
      guard let text = NMEAReport.sentence(sentence, of: estimate) else { continue }
      written[sentence] = (estimate.timestamp, estimate.fixTimestamp)
      bytes += text
    }
    return bytes
  }

  private func isDue(_ sentence: Sentence, _ rate: Double, at estimate: Estimate) -> Bool {
    guard let last = written[sentence] else { return true }
    let elapsed = estimate.timestamp.seconds(since: last.at)
    // The clock of a restarted daemon may start again at a lower time.
    guard elapsed >= 0 else { return true }
    guard elapsed >= 1 / rate - Self.slack else { return false }
    // Without a fix the sentences are written at their rate, with the no-fix status.
    return !sentence.isOfFix || estimate.fixTimestamp == nil || estimate.fixTimestamp != last.fix
  }
}
