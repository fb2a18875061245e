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
}
