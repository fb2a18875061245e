import Quantities

/// What the sentences of one instant have said so far.
struct EpochDraft: Sendable {
  var epoch: ReceiverEpoch
  var time: TimeOfDay?
  var date: CivilDate?
  /// A date that came along with "no fix": better than none.
  var doubtfulDate: CivilDate?
  /// Types and talkers that have spoken without a time: when one speaks again, a new cycle began.
  var untimed: [SentenceKey] = []
  /// True once anything but compass and sky was said.
  var hasContent = false
  /// Whether a sentence with a place called it valid; nil before the first.
  private var isValid: Bool?
  private var quality: FixKind?

  init(timestamp: Timestamp) { epoch = ReceiverEpoch(timestamp: timestamp) }

  /// True where a sentence called the place valid.
  var hasFix: Bool { isValid == true && epoch.fix.position != nil }

  mutating func add(_ gga: GGA) {
    let kind = FixKind(quality: gga.quality)
    place(gga.position, isValid: gga.quality.map { $0 > 0 }, kind: kind)
    epoch.printedAltitudeMetres = gga.altitudeMetres ?? epoch.printedAltitudeMetres
    if kind != FixKind.none {
      altitude(gga.altitudeMetres, gga.geoidSeparationMetres)
    }
    epoch.fix.satellitesUsed = gga.satellitesUsed ?? epoch.fix.satellitesUsed
    epoch.fix.horizontalDilution = gga.horizontalDilution ?? epoch.fix.horizontalDilution
  }

  mutating func add(_ gns: GNS) {
    let kind = gns.mode.map { FixKind(mode: $0) }
    place(gns.position, isValid: gns.mode.map { $0 > .notValid }, kind: kind)
    if gns.isSafe {
      epoch.printedAltitudeMetres = gns.altitudeMetres ?? epoch.printedAltitudeMetres
    }
    if kind != FixKind.none {
      altitude(gns.altitudeMetres, gns.geoidSeparationMetres)
    }
    epoch.fix.satellitesUsed = gns.satellitesUsed ?? epoch.fix.satellitesUsed
    epoch.fix.horizontalDilution = gns.horizontalDilution ?? epoch.fix.horizontalDilution
  }

  mutating func add(_ gll: GLL) {
    let isValid = gll.isValid ?? (gll.position != nil)
    place(
      gll.position, isValid: isValid && gll.mode != .notValid,
      kind: gll.mode.map { FixKind(mode: $0) })
  }

  mutating func add(_ rmc: RMC) {
    let isValid = rmc.isValid == true
    place(rmc.position, isValid: isValid, kind: rmc.mode.map { FixKind(mode: $0) })
    // Some receivers (MTK 3301, RGM-3800) invent a date while they have no fix.
    if isValid { date = rmc.date ?? date } else { doubtfulDate = rmc.date ?? doubtfulDate }
    epoch.magneticVariation = rmc.magneticVariation ?? epoch.magneticVariation
    guard isValid else { return }
    epoch.fix.speedMetresPerSecond = rmc.speedMetresPerSecond ?? epoch.fix.speedMetresPerSecond
    epoch.fix.course = rmc.course ?? epoch.fix.course
  }

  mutating func add(_ vtg: VTG) {
    guard vtg.mode != .notValid else { return }
    epoch.fix.speedMetresPerSecond = vtg.speedMetresPerSecond ?? epoch.fix.speedMetresPerSecond
    epoch.fix.course = vtg.course ?? epoch.fix.course
    epoch.magneticCourse = vtg.magneticCourse ?? epoch.magneticCourse
  }

  mutating func add(_ gsa: GSA) {
    epoch.positionDilution = gsa.positionDilution ?? epoch.positionDilution
    epoch.fix.horizontalDilution = gsa.horizontalDilution ?? epoch.fix.horizontalDilution
    epoch.verticalDilution = gsa.verticalDilution ?? epoch.verticalDilution
  }

  mutating func add(_ gst: GST) {
    epoch.latitudeErrorMetres = gst.latitudeErrorMetres ?? epoch.latitudeErrorMetres
    epoch.longitudeErrorMetres = gst.longitudeErrorMetres ?? epoch.longitudeErrorMetres
    epoch.fix.verticalAccuracyMetres = gst.altitudeErrorMetres ?? epoch.fix.verticalAccuracyMetres
  }

  /// A place that one sentence calls valid stays, whatever another says of the same instant.
  private mutating func place(_ position: GeodeticPosition?, isValid: Bool?, kind: FixKind?) {
    guard isValid == true, let position else {
      if self.isValid == nil { self.isValid = isValid.map { _ in false } }
      return
    }
    self.isValid = true
    epoch.fix.position = position
    // RMC and GLL know fewer kinds than GGA: they only say more where nothing is known yet.
    if let kind, kind != .none, quality == nil || quality == .threeDimensional { quality = kind }
  }

  private mutating func altitude(_ metres: Double?, _ separation: Double?) {
    epoch.fix.altitudeMetres = metres ?? epoch.fix.altitudeMetres
    epoch.geoidSeparationMetres = separation ?? epoch.geoidSeparationMetres
  }

  /// Settles what depends on several sentences.
  /// - Parameters:
  ///   - dimension: of the solution, where there is one.
  ///   - held: the same as gpsd tells it.
  mutating func settle(dimension: ReceiverEpoch.Dimension, held: ReceiverEpoch.Dimension) {
    guard hasFix else {
      epoch.dimension = .none
      epoch.fix.kind = .none
      epoch.fix.position = nil
      epoch.fix.altitudeMetres = nil
      epoch.fix.verticalAccuracyMetres = nil
      epoch.fix.speedMetresPerSecond = nil
      epoch.fix.course = nil
      return
    }
    epoch.dimension = dimension
    epoch.heldDimension = held
    let plain: FixKind = dimension == .three ? .threeDimensional : .twoDimensional
    let kind = quality.map { $0 == .threeDimensional ? plain : $0 } ?? plain
    epoch.fix.kind = kind
    // In a 2D solution the altitude is an old or assumed one.
    if dimension < .three {
      epoch.fix.altitudeMetres = nil
      epoch.fix.verticalAccuracyMetres = nil
    }
    if let altitude = epoch.fix.altitudeMetres, let separation = epoch.geoidSeparationMetres {
      epoch.fix.ellipsoidalAltitudeMetres = altitude + separation
    }
    if let north = epoch.latitudeErrorMetres, let east = epoch.longitudeErrorMetres {
      epoch.fix.horizontalAccuracyMetres = (north * north + east * east).squareRoot()
    } else {
      epoch.fix.horizontalAccuracyMetres = RangeError.metres(
        dilution: epoch.fix.horizontalDilution, kind: kind)
    }
    if epoch.fix.altitudeMetres != nil, epoch.fix.verticalAccuracyMetres == nil {
      epoch.fix.verticalAccuracyMetres = RangeError.metres(
        dilution: epoch.verticalDilution, kind: kind)
    }
  }
}

extension FixKind {
  /// GGA's quality digit; plain GNSS is `threeDimensional` until the dimension is known.
  init?(quality: Int?) {
    switch quality {
    case 0: self = .none
    case 1, 3: self = .threeDimensional
    case 2: self = .differential
    case 4: self = .rtkFixed
    case 5: self = .rtkFloat
    case 6: self = .deadReckoning
    case 7, 8: self = .simulated
    default: return nil
    }
  }

  /// A mode letter; plain GNSS is `threeDimensional` until the dimension is known.
  init(mode: PositionMode) {
    switch mode {
    case .notValid: self = .none
    case .simulated, .manual: self = .simulated
    case .estimated: self = .deadReckoning
    case .autonomous, .precise: self = .threeDimensional
    case .differential: self = .differential
    case .rtkFloat: self = .rtkFloat
    case .rtkFixed: self = .rtkFixed
    }
  }
}
