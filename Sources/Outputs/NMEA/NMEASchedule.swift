import Quantities

/// Which sentences of an estimate are due: each at its own rate, and what a fix says once for each fix.
///
/// A line of 4800 baud carries 480 characters a second. With the usual rates a stream needs about 330: twice a
/// second HDG, HDM and HDT (67 characters together), once GGA, RMC and VTG (195).
public struct NMEASchedule: Sendable {
  /// A sentence that can be written.
  public enum Sentence: String, CaseIterable, Sendable {
    case hdg, hdm, hdt, ths, gga, rmc, vtg

    /// The sentence of a name such as `HDG`, in any case; nil for one that is not written.
    public init?(name: String) { self.init(rawValue: name.lowercased()) }

    /// True where it tells what a receiver's fix says.
    var isOfFix: Bool {
      switch self {
      case .hdg, .hdm, .hdt, .ths: false
      case .gga, .rmc, .vtg: true
      }
    }

    /// How many a second are usual.
    public var usualRate: Double { isOfFix ? 1 : 2 }

    /// Without a mode of their own HDG, HDM and HDT are what plotters read; THS is written on request.
    static let usual: [Sentence] = [.hdg, .hdm, .hdt, .gga, .rmc, .vtg]
  }

  /// A sentence that is due half an estimate later is written now, s.
  private static let slack = 0.005

  private let rates: [(sentence: Sentence, perSecond: Double)]
  private var written: [Sentence: (at: Timestamp, fix: Timestamp?)] = [:]

  /// Makes a schedule of some sentences.
  /// - Parameter rates: The most of each sentence a second; one that is not named is never written.
  public init(mostPerSecond rates: [Sentence: Double]) {
    self.rates = Sentence.allCases.compactMap { sentence in rates[sentence].map { (sentence, $0) } }
  }

  /// Makes a schedule of the usual sentences.
  /// - Parameter headingsPerSecond: Of HDG, HDM and HDT each; nil for the usual rate.
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
    // A daemon that was started anew may begin its clock again.
    guard elapsed >= 0 else { return true }
    guard elapsed >= 1 / rate - Self.slack else { return false }
    // Without a fix the sentences say so at their rate.
    return !sentence.isOfFix || estimate.fixTimestamp == nil || estimate.fixTimestamp != last.fix
  }
}
