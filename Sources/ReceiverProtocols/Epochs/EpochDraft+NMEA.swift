import Quantities

extension EpochDraft {
  mutating func add(_ gga: GGA) {
    let kind = FixKind(quality: gga.quality)
    place(gga.position, isValid: gga.quality.map { $0 > 0 }, kind: kind)
    epoch.printedAltitudeMetres = gga.altitudeMetres ?? epoch.printedAltitudeMetres
    if kind != FixKind.none {
      altitude(gga.altitudeMetres, gga.geoidSeparationMetres)
    }
    epoch.fix.satellitesUsed = gga.satellitesUsed ?? epoch.fix.satellitesUsed
    epoch.fix.horizontalDilution = gga.horizontalDilution ?? epoch.fix.horizontalDilution
    corrections(age: gga.correctionAgeSeconds, kind)
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
    corrections(age: gns.correctionAgeSeconds, kind)
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
    // Some receivers (MTK 3301, RGM-3800) send an arbitrary date while they have no fix.
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
    epoch.errors = gst
    epoch.latitudeErrorMetres = gst.latitudeErrorMetres ?? epoch.latitudeErrorMetres
    epoch.longitudeErrorMetres = gst.longitudeErrorMetres ?? epoch.longitudeErrorMetres
    epoch.fix.verticalAccuracyMetres = gst.altitudeErrorMetres ?? epoch.fix.verticalAccuracyMetres
  }

  mutating func add(_ gbs: GBS) {
    epoch.latitudeErrorMetres = epoch.latitudeErrorMetres ?? gbs.latitudeErrorMetres
    epoch.longitudeErrorMetres = epoch.longitudeErrorMetres ?? gbs.longitudeErrorMetres
    epoch.fix.verticalAccuracyMetres = epoch.fix.verticalAccuracyMetres ?? gbs.altitudeErrorMetres
  }

  mutating func add(_ pubx: PUBX00) {
    guard let status = pubx.status else { return }
    let isFix = status != .noFix && status != .timeOnly
    let kind: FixKind =
      switch status {
      case .noFix, .timeOnly: .none
      case .deadReckoning: .deadReckoning
      case .differentialTwoDimensional, .differentialThreeDimensional: .differential
      case .twoDimensional, .threeDimensional, .satellitesAndDeadReckoning: .threeDimensional
      }
    place(pubx.position, isValid: isFix, kind: kind)
    guard isFix else { return }
    statedDimension =
      switch status {
      case .twoDimensional, .differentialTwoDimensional: .two
      case .threeDimensional, .differentialThreeDimensional, .satellitesAndDeadReckoning: .three
      case .noFix, .timeOnly, .deadReckoning: nil
      }
    // u-blox 7 prints 0.000 for each height below zero.
    if let height = pubx.ellipsoidalHeightMetres, height != 0 {
      epoch.fix.ellipsoidalAltitudeMetres = height
    }
    epoch.fix.horizontalAccuracyMetres = pubx.horizontalAccuracyMetres
    epoch.fix.verticalAccuracyMetres =
      pubx.verticalAccuracyMetres ?? epoch.fix.verticalAccuracyMetres
    epoch.fix.speedMetresPerSecond = epoch.fix.speedMetresPerSecond ?? pubx.speedMetresPerSecond
    epoch.fix.course = epoch.fix.course ?? pubx.course
    epoch.fix.verticalSpeedMetresPerSecond = pubx.downwardMetresPerSecond.map { -$0 }
    epoch.fix.horizontalDilution = epoch.fix.horizontalDilution ?? pubx.horizontalDilution
    epoch.verticalDilution = epoch.verticalDilution ?? pubx.verticalDilution
    epoch.timeDilution = pubx.timeDilution
    corrections(age: pubx.correctionAgeSeconds, kind)
    epoch.fix.satellitesUsed = epoch.fix.satellitesUsed ?? pubx.satellitesUsed
  }

  mutating func add(_ pgrme: PGRME) {
    epoch.fix.horizontalAccuracyMetres =
      pgrme.horizontalErrorMetres ?? epoch.fix.horizontalAccuracyMetres
    epoch.fix.verticalAccuracyMetres =
      epoch.fix.verticalAccuracyMetres ?? pgrme.verticalErrorMetres
  }

  mutating func add(_ pgrmz: PGRMZ) {
    // GGA's altitude is better: this one is in whole feet and may come from an aircraft's
    // barometer.
    guard epoch.fix.altitudeMetres == nil else { return }
    epoch.fix.altitudeMetres = pgrmz.altitudeMetres
    epoch.printedAltitudeMetres = epoch.printedAltitudeMetres ?? pgrmz.altitudeMetres
  }

  mutating func add(_ pgrmf: PGRMF) {
    date = date ?? pgrmf.date
    let isFix = pgrmf.dimension.map { $0 > 1 } ?? false
    place(pgrmf.position, isValid: isFix, kind: isFix ? .threeDimensional : FixKind.none)
    if isFix { statedDimension = pgrmf.dimension.flatMap { ReceiverEpoch.Dimension(rawValue: $0) } }
    guard isFix else { return }
    epoch.fix.speedMetresPerSecond = epoch.fix.speedMetresPerSecond ?? pgrmf.speedMetresPerSecond
    epoch.fix.course = epoch.fix.course ?? pgrmf.course
    epoch.positionDilution = epoch.positionDilution ?? pgrmf.positionDilution
    epoch.timeDilution = epoch.timeDilution ?? pgrmf.timeDilution
  }

  mutating func add(_ pgrmv: PGRMV) {
    guard let north = pgrmv.northMetresPerSecond, let east = pgrmv.eastMetresPerSecond,
      let up = pgrmv.upMetresPerSecond
    else { return }
    epoch.velocity = Velocity(metresPerSecond: SIMD3(north, east, -up))
  }

  mutating func add(_ pashr: PASHRPOS) {
    let isFix = pashr.solution != nil && pashr.position != nil
    let kind: FixKind =
      switch pashr.solution {
      case nil: .none
      case 0: .threeDimensional
      case 2: .rtkFloat
      case 3: .rtkFixed
      default: .differential
      }
    place(pashr.position, isValid: isFix, kind: kind)
    guard isFix else { return }
    epoch.fix.ellipsoidalAltitudeMetres = pashr.ellipsoidalHeightMetres
    epoch.fix.speedMetresPerSecond = pashr.speedMetresPerSecond
    epoch.fix.course = pashr.course
    epoch.fix.verticalSpeedMetresPerSecond = pashr.verticalMetresPerSecond
    epoch.fix.satellitesUsed = pashr.satellitesUsed
    epoch.positionDilution = pashr.positionDilution
    epoch.fix.horizontalDilution = pashr.horizontalDilution
    epoch.verticalDilution = pashr.verticalDilution
    epoch.timeDilution = pashr.timeDilution
    // Receivers send this sentence only for solutions with an altitude.
    solution = .three
  }

  mutating func add(_ epe: PSRFEPE) {
    guard epe.isValid == true else { return }
    epoch.fix.horizontalAccuracyMetres =
      epe.horizontalErrorMetres ?? epoch.fix.horizontalAccuracyMetres
    epoch.fix.verticalAccuracyMetres =
      epe.verticalErrorMetres ?? epoch.fix.verticalAccuracyMetres
    epoch.speedAccuracyMetresPerSecond = epe.speedErrorMetresPerSecond
    epoch.courseAccuracy = epe.courseError
  }

  /// Stores the age of corrections that are in use. Receivers also send an age, usually zero,
  /// without any.
  private mutating func corrections(age: Double?, _ kind: FixKind?) {
    switch kind {
    case .differential, .rtkFloat, .rtkFixed:
      epoch.correctionAgeSeconds = age ?? epoch.correctionAgeSeconds
    default: break
    }
  }
}
