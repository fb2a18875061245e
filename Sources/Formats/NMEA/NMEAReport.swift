import Quantities
import ReceiverProtocols

/// An estimate as NMEA 0183 sentences; unknown values are left out.
///
/// The talker of headings is `HC` (magnetic compass), that of ROT `TI`, of XDR `YX`, and of
/// positions `GP`, which even old plotters accept. For simulated estimates GGA has quality 8 and
/// RMC and VTG have mode S.
public enum NMEAReport {
  /// All sentences of the estimate, each with checksum, CR and LF: HDG, HDM, HDT, GGA, RMC, VTG.
  public static func sentences(_ estimate: Estimate) -> [UInt8] {
    NMEASchedule.Sentence.usual.reduce(into: []) { $0 += sentence($1, of: estimate) ?? [] }
  }

  /// One sentence with checksum, CR and LF, XDR, GSA and GSV as several; nil where its values are
  /// not known.
  /// - Parameters:
  ///   - sentence: Which one.
  ///   - estimate: Its values.
  ///   - sky: The satellites, for GSA and GSV.
  ///   - pressure: The newest sample of a barometer, for XDR and variometers.
  ///   - talker: The talker; nil for that of each sentence. Those of GSA and GSV are the
  ///     satellites' systems; a proprietary sentence has none.
  /// - Returns: The bytes.
  public static func sentence(
    _ sentence: NMEASchedule.Sentence, of estimate: Estimate, sky: SkyReport? = nil,
    pressure: PressureSample? = nil, talker: NMEATalker? = nil
  ) -> [UInt8]? {
    let line: SentenceLine? =
      switch sentence {
      case .hdg: hdg(estimate)
      case .hdm: hdm(estimate)
      case .hdt: hdt(estimate)
      case .ths: ths(estimate)
      case .rot: rot(estimate)
      case .gga: gga(estimate)
      case .rmc: rmc(estimate)
      case .vtg: vtg(estimate)
      case .gll: gll(estimate)
      case .zda: zda(estimate)
      case .panda: AgOpenGPSReport.panda(estimate)
      case .paogi: AgOpenGPSReport.paogi(estimate)
      case .pov: VariometerReport.pov(estimate, pressure)
      case .lk8ex1: VariometerReport.lk8ex1(estimate, pressure)
      case .lxwp0: VariometerReport.lxwp0(estimate, pressure)
      case .xdr, .gsa, .gsv: nil
      }
    return switch sentence {
    case .gsa: sky.map { gsa($0, of: estimate) }
    case .gsv: sky.map { gsv($0) }
    case .xdr: xdr(estimate, pressure, talker)
    default: line?.closed(sentence.isProprietary ? nil : talker)
    }
  }

  // MARK: Heading

  /// The compass heading with its deviation where one is known (else the magnetic heading with an
  /// empty deviation), and the variation where both headings are known.
  static func hdg(_ estimate: Estimate) -> SentenceLine? {
    guard let heading = estimate.magneticHeading else { return nil }
    var line = SentenceLine("HCHDG")
    let deviation = estimate.deviation
    line.field(direction: (heading.angle - (deviation ?? .zero)).wrappedToTurn)
    line.variation(deviation)
    line.variation(estimate.magneticVariation)
    return line
  }

  static func hdm(_ estimate: Estimate) -> SentenceLine? {
    guard let heading = estimate.magneticHeading else { return nil }
    var line = SentenceLine("HCHDM")
    line.field(direction: heading.angle)
    line.field("M")
    return line
  }

  static func hdt(_ estimate: Estimate) -> SentenceLine? {
    guard let heading = estimate.trueHeading else { return nil }
    var line = SentenceLine("HCHDT")
    line.field(direction: heading.angle)
    line.field("T")
    return line
  }

  /// - Source: NMEA 0183 4.11, THS mode indicator: A autonomous, E estimated, S simulator,
  ///   V data not valid.
  static func ths(_ estimate: Estimate) -> SentenceLine? {
    let isGone = estimate.headingState?.isGone ?? false
    guard estimate.trueHeading != nil || isGone else { return nil }
    let isUseless = estimate.trueHeadingAccuracy.map { $0 >= Angle(degrees: 90) } ?? false
    let isDoubtful = [.late, .contradicted].contains(estimate.headingState)
    var line = SentenceLine("HCTHS")
    line.field(direction: estimate.trueHeading?.angle)
    line.field(
      estimate.trueHeading == nil || isUseless
        ? "V" : estimate.isSimulated ? "S" : isDoubtful ? "E" : "A")
    return line
  }

  /// The rate of turn in degrees a minute, negative to port.
  static func rot(_ estimate: Estimate) -> SentenceLine? {
    guard let rate = estimate.rateOfTurn else { return nil }
    var line = SentenceLine("TIROT")
    line.field(rate.degreesPerSecond * 60, decimals: 1)
    line.field("A")
    return line
  }

  /// A sentence each for attitude and barometer, as far as known; nil without both.
  static func xdr(
    _ estimate: Estimate, _ pressure: PressureSample?, _ talker: NMEATalker?
  ) -> [UInt8]? {
    let lines = [
      attitude(estimate), pressure.map(barometer), tendency(estimate), waves(estimate),
    ].compactMap { $0 }
    return lines.isEmpty ? nil : lines.flatMap { $0.closed(talker) }
  }

  /// Pitch, bow up positive, and roll, right side down positive, in degrees.
  static func attitude(_ estimate: Estimate) -> SentenceLine? {
    guard estimate.isLevelKnown, let angles = estimate.attitude?.attitudeAngles else { return nil }
    var line = SentenceLine("YXXDR")
    line.transducer("A", angles.pitch.degrees, decimals: 1, "D", "PITCH")
    line.transducer("A", angles.roll.degrees, decimals: 1, "D", "ROLL")
    return line
  }

  /// A barometer's pressure in bar, and its own temperature in degrees Celsius, which is not that
  /// of the air. Not in one sentence with the attitude, which would have more than 82 characters.
  /// - Source: the pressure's name and unit are those that OpenCPN's dashboard reads; tactics_pi, a
  ///   plugin, takes each value named Barometer, or each of type P in bar, for the pressure.
  static func barometer(_ sample: PressureSample) -> SentenceLine {
    var line = SentenceLine("YXXDR")
    let hectopascalInBar = 1000.0
    line.transducer("P", sample.hectopascal / hectopascalInBar, decimals: 5, "B", "Barometer")
    if let celsius = sample.celsius {
      line.transducer("C", celsius, decimals: 1, "C", "SENSOR")
    }
    return line
  }

  /// The change of the pressure in three hours, in bar; of the generic type, since it is no pressure.
  static func tendency(_ estimate: Estimate) -> SentenceLine? {
    guard let hectopascal = estimate.pressureTendencyHectopascal else { return nil }
    var line = SentenceLine("YXXDR")
    line.transducer("G", hectopascal / 1000, decimals: 5, "B", "TENDENCY")
    return line
  }

  /// Significant height, frequency of the peak, and the true direction from which waves come.
  static func waves(_ estimate: Estimate) -> SentenceLine? {
    guard let height = estimate.waveHeightMetres else { return nil }
    var line = SentenceLine("YXXDR")
    line.transducer("D", height, decimals: 2, "M", "WAVEHEIGHT")
    if let period = estimate.wavePeakPeriodSeconds {
      line.transducer("F", 1 / period, decimals: 4, "H", "WAVEPEAK")
    }
    if let direction = estimate.waveDirection {
      line.transducer("A", direction.degreesBelowTurn(decimals: 0), decimals: 0, "D", "WAVEFROM")
    }
    return line
  }

  // MARK: Position

  static func gga(_ estimate: Estimate) -> SentenceLine? {
    guard let kind = kind(of: estimate) else { return nil }
    let place = kind == .none ? nil : estimate.position
    var line = SentenceLine("GPGGA")
    line.field(timeOf: estimate.fixUTC)
    line.position(place)
    line.field(integer: place == nil ? 0 : quality(kind, isSimulated: estimate.isSimulated))
    line.field(integer: estimate.satellitesUsed ?? 0, width: 2)
    line.field(place == nil ? nil : estimate.reportedDilution, decimals: 2)
    let altitude = place == nil ? nil : estimate.altitudeMetres
    line.field(altitude, decimals: 2)
    line.field("M")
    var separation: Double?
    if let altitude, let height = estimate.ellipsoidalAltitudeMetres {
      separation = height - altitude
    }
    line.field(separation, decimals: 2)
    line.field("M")
    let isCorrected = [.differential, .rtkFixed, .rtkFloat].contains(kind)
    line.field(place != nil && isCorrected ? estimate.correctionAgeSeconds : nil, decimals: 1)
    // The number of the base station is not known.
    line.field()
    return line
  }

  static func rmc(_ estimate: Estimate) -> SentenceLine? {
    guard let kind = kind(of: estimate) else { return nil }
    let place = kind == .none ? nil : estimate.position
    var line = SentenceLine("GPRMC")
    line.field(timeOf: estimate.fixUTC)
    line.field(isValid(kind, estimate) ? "A" : "V")
    line.position(place)
    line.field(estimate.speedMetresPerSecond.map { $0 * knotsPerMetrePerSecond }, decimals: 2)
    line.field(direction: estimate.course)
    line.field(dateOf: estimate.fixUTC)
    line.variation(estimate.magneticVariation)
    line.field(place == nil ? "N" : mode(kind, isSimulated: estimate.isSimulated))
    return line
  }

  static func vtg(_ estimate: Estimate) -> SentenceLine? {
    guard let kind = estimate.fixKind, kind != .none, let speed = estimate.speedMetresPerSecond
    else {
      return nil
    }
    var line = SentenceLine("GPVTG")
    line.field(direction: estimate.course)
    line.field("T")
    line.field(
      direction: estimate.magneticVariation.flatMap { variation in
        estimate.course.map { $0 - variation }
      })
    line.field("M")
    line.field(speed * knotsPerMetrePerSecond, decimals: 2)
    line.field("N")
    line.field(speed * 3.6, decimals: 2)
    line.field("K")
    line.field(mode(kind, isSimulated: estimate.isSimulated))
    return line
  }

  static func gll(_ estimate: Estimate) -> SentenceLine? {
    guard let kind = kind(of: estimate) else { return nil }
    let place = kind == .none ? nil : estimate.position
    var line = SentenceLine("GPGLL")
    line.position(place)
    line.field(timeOf: estimate.fixUTC)
    line.field(isValid(kind, estimate) ? "A" : "V")
    line.field(place == nil ? "N" : mode(kind, isSimulated: estimate.isSimulated))
    return line
  }

  /// Time and date of the fix; the local zone is UTC.
  static func zda(_ estimate: Estimate) -> SentenceLine? {
    guard let kind = estimate.fixKind, kind != .none, let utc = estimate.fixUTC else { return nil }
    var line = SentenceLine("GPZDA")
    line.field(timeOf: utc)
    line.field(dayMonthYearOf: utc)
    line.field("00")
    line.field("00")
    return line
  }

  static var knotsPerMetrePerSecond: Double { 3600.0 / 1852.0 }

  /// - Source: NMEA 0183 4.11, GGA quality indicator.
  static func quality(_ kind: FixKind, isSimulated: Bool) -> Int {
    if isSimulated { return 8 }
    return switch kind {
    case .none: 0
    case .twoDimensional, .threeDimensional: 1
    case .differential: 2
    case .rtkFixed: 4
    case .rtkFloat: 5
    // Estimated: the position does not come from satellites.
    case .deadReckoning, .network: 6
    case .simulated: 8
    }
  }

  /// The kind of fix; `none` after a source of positions has lost its fix, nil without a source.
  static func kind(of estimate: Estimate) -> FixKind? {
    estimate.fixKind ?? (estimate.positionState.map { $0.isGone } ?? false ? FixKind.none : nil)
  }

  /// Whether RMC and GLL have the status A.
  /// - Source: NMEA 0183 4.11: the status is V for every mode but A, D, F, P and R, so also for
  ///   estimated and simulated positions.
  private static func isValid(_ kind: FixKind, _ estimate: Estimate) -> Bool {
    guard estimate.position != nil, !estimate.isSimulated else { return false }
    return switch kind {
    case .twoDimensional, .threeDimensional, .differential, .rtkFixed, .rtkFloat: true
    case .none, .deadReckoning, .network, .simulated: false
    }
  }

  /// - Source: NMEA 0183 4.11, positioning system mode indicator.
  private static func mode(_ kind: FixKind, isSimulated: Bool) -> StaticString {
    if isSimulated { return "S" }
    return switch kind {
    case .none: "N"
    case .twoDimensional, .threeDimensional: "A"
    case .differential: "D"
    case .rtkFixed: "R"
    case .rtkFloat: "F"
    case .deadReckoning, .network: "E"
    case .simulated: "S"
    }
  }
}
