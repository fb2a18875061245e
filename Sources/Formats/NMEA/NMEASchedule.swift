import Quantities
import ReceiverProtocols

/// The talker of sentences: two letters, such as `II` (integrated instrumentation).
public struct NMEATalker: Equatable, Sendable, CustomStringConvertible {
  let letters: [UInt8]

  /// The talker of two capital letters; nil for another text.
  public init?(_ text: String) {
    letters = Array(text.utf8)
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard letters.count == 2, letters.allSatisfy(capitals.contains) else { return nil }
  }

  /// The two letters.
  public var description: String { String(decoding: letters, as: UTF8.self) }
}

/// Selects the sentences that are due: each at its own rate, those of a fix once for each fix.
///
/// A line of 4800 baud carries 480 characters a second. With the default rates a stream needs about
/// 330: twice a second HDG, HDM and HDT (67 characters together), once GGA, RMC and VTG (195). The
/// others are written on request: GSA and GSV of a receiver of four systems alone need up to 1000
/// characters.
public struct NMEASchedule: Sendable {
  /// A sentence that can be written.
  public enum Sentence: String, CaseIterable, Sendable {
    case hdg, hdm, hdt, ths, rot, xdr, gga, rmc, vtg, gll, zda, gsa, gsv
    /// Of AgOpenGPS.
    case panda, paogi
    /// Of variometers.
    case pov, lk8ex1, lxwp0

    /// The sentence of a name such as `HDG`, in any case; nil for an unsupported one.
    public init?(name: String) { self.init(rawValue: name.lowercased()) }

    /// True for a sentence with the values of a fix or of its satellites.
    var isOfFix: Bool {
      switch self {
      case .hdg, .hdm, .hdt, .ths, .rot, .xdr, .pov, .lk8ex1, .lxwp0: false
      case .gga, .rmc, .vtg, .gll, .zda, .gsa, .gsv, .panda, .paogi: true
      }
    }

    /// True for a sentence with satellites.
    public var isOfSky: Bool { self == .gsa || self == .gsv }

    /// True for a sentence with samples of a barometer.
    public var isOfPressure: Bool {
      switch self {
      case .xdr, .pov, .lk8ex1, .lxwp0: true
      default: false
      }
    }

    /// True for a sentence of AgOpenGPS.
    package var isOfAgOpenGPS: Bool { self == .panda || self == .paogi }

    /// True for a sentence of a maker, whose first letters are no talker.
    var isProprietary: Bool {
      switch self {
      case .panda, .paogi, .pov, .lk8ex1, .lxwp0: true
      default: false
      }
    }

    /// The default rate a second.
    public var usualRate: Double {
      switch self {
      // What AgIO expects of a receiver.
      case .panda, .paogi: 10
      // A variometer's sound.
      case .pov, .lk8ex1: 5
      case .lxwp0: 1
      default: isOfFix ? 1 : 2
      }
    }

    /// Plotters read HDG, HDM and HDT, which have no mode field; THS is written on request.
    static let usual: [Sentence] = [.hdg, .hdm, .hdt, .gga, .rmc, .vtg]

    /// The usual sentences with their default rates a second.
    public static var usualRates: [Sentence: Double] {
      Dictionary(uniqueKeysWithValues: usual.map { ($0, $0.usualRate) })
    }

    /// The greatest rates a second of a text such as `HDG=10,HDT,GGA`, a colon or `=` before each
    /// rate.
    /// - Returns: nil for an unknown or repeated sentence, and for a rate that is not 0.01 to 50.
    public static func rates(of text: String) -> [Sentence: Double]? {
      var rates: [Sentence: Double] = [:]
      for item in text.split(separator: ",", omittingEmptySubsequences: false) {
        let parts = item.split(omittingEmptySubsequences: false) { $0 == "=" || $0 == ":" }
        guard let name = parts.first, let sentence = Sentence(name: String(name)),
          parts.count <= 2, rates[sentence] == nil
        else { return nil }
        rates[sentence] = sentence.usualRate
        guard parts.count == 2 else { continue }
        guard let rate = Double(parts[1]), (0.01...50).contains(rate) else { return nil }
        rates[sentence] = rate
      }
      return rates
    }
  }

  /// The tolerance of the due time, half an estimate's interval, s.
  private static let slack = 0.005

  private let rates: [(sentence: Sentence, perSecond: Double)]
  /// How long satellites are valid, s, as a fix.
  private static let skyValidity = 10.0
  /// How long a pressure is valid, s, as a heading.
  package static let pressureValidity = 3.0

  private let talker: NMEATalker?
  private var sky: SkyReport?
  private var pressure: PressureSample?
  private var written: [Sentence: (at: Timestamp, fix: Timestamp?)] = [:]

  /// Makes a schedule of some sentences.
  /// - Parameters:
  ///   - rates: The greatest rate of each sentence a second; the others are never written.
  ///   - talker: The talker; nil for that of each sentence.
  public init(mostPerSecond rates: [Sentence: Double], talker: NMEATalker? = nil) {
    self.talker = talker
    self.rates = Sentence.allCases.compactMap { sentence in rates[sentence].map { (sentence, $0) } }
  }

  /// Makes a schedule of the usual sentences.
  /// - Parameter headingsPerSecond: The rate of HDG, HDM and HDT each; nil for the default.
  public init(headingsPerSecond: Double? = nil) {
    var rates = Sentence.usualRates
    for sentence in Sentence.usual where !sentence.isOfFix {
      rates[sentence] = headingsPerSecond ?? sentence.usualRate
    }
    self.init(mostPerSecond: rates)
  }

  /// Sets the satellites of the next GSA and GSV.
  public mutating func set(_ sky: SkyReport) { self.sky = sky }

  /// Discards satellites and pressure, as after a change of the access.
  public mutating func discard() { (sky, pressure) = (nil, nil) }

  /// Sets the pressure of the next XDR and variometer's sentences.
  public mutating func set(_ pressure: PressureSample) { self.pressure = pressure }

  /// The sentences that are due at an estimate, each with checksum, CR and LF.
  public mutating func sentences(for estimate: Estimate) -> [UInt8] {
    var bytes: [UInt8] = []
    if let age = sky.map({ estimate.timestamp.seconds(since: $0.timestamp) }),
      abs(age) > Self.skyValidity
    {
      sky = nil
    }
    if let age = pressure.map({ estimate.timestamp.seconds(since: $0.timestamp) }),
      abs(age) > Self.pressureValidity
    {
      pressure = nil
    }
    for (sentence, rate) in rates where isDue(sentence, rate, at: estimate) {
      guard
        let text = NMEAReport.sentence(
          sentence, of: estimate, sky: sky, pressure: pressure, talker: talker)
      else { continue }
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
