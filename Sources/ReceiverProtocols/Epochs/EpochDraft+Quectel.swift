import Quantities

extension EpochDraft {
  mutating func add(_ epe: PQTMEPE) {
    epoch.latitudeErrorMetres = epoch.latitudeErrorMetres ?? epe.northErrorMetres
    epoch.longitudeErrorMetres = epoch.longitudeErrorMetres ?? epe.eastErrorMetres
    epoch.fix.verticalAccuracyMetres = epoch.fix.verticalAccuracyMetres ?? epe.downErrorMetres
    epoch.fix.horizontalAccuracyMetres =
      epoch.fix.horizontalAccuracyMetres ?? epe.horizontalErrorMetres
  }

  mutating func add(_ velocity: PQTMVEL) {
    epoch.velocity = velocity.velocity ?? epoch.velocity
    epoch.fix.speedMetresPerSecond = velocity.speedMetresPerSecond ?? epoch.fix.speedMetresPerSecond
    epoch.fix.course = velocity.course ?? epoch.fix.course
    epoch.speedAccuracyMetresPerSecond = velocity.speedErrorMetresPerSecond
    epoch.courseAccuracy = velocity.courseError
  }

  mutating func add(_ pvt: PQTMPVT) {
    let isFix = pvt.dimension.map { $0 > 1 }
    place(
      pvt.position, isValid: isFix,
      kind: isFix.map { $0 ? FixKind.threeDimensional : FixKind.none })
    guard isFix == true else { return }
    date = pvt.date ?? date
    statedDimension = pvt.dimension.flatMap { ReceiverEpoch.Dimension(rawValue: Int($0)) }
    epoch.printedAltitudeMetres = pvt.altitudeMetres ?? epoch.printedAltitudeMetres
    altitude(pvt.altitudeMetres, pvt.geoidSeparationMetres)
    epoch.velocity = pvt.velocity ?? epoch.velocity
    epoch.fix.speedMetresPerSecond = epoch.fix.speedMetresPerSecond ?? pvt.speedMetresPerSecond
    epoch.fix.course = epoch.fix.course ?? pvt.course
    epoch.fix.satellitesUsed = epoch.fix.satellitesUsed ?? pvt.satellitesUsed.map { Int($0) }
    epoch.fix.horizontalDilution = epoch.fix.horizontalDilution ?? pvt.horizontalDilution
    epoch.positionDilution = epoch.positionDilution ?? pvt.positionDilution
  }

  mutating func add(_ dilutions: PQTMDOP) {
    epoch.geometricDilution = epoch.geometricDilution ?? dilutions.geometric
    epoch.positionDilution = epoch.positionDilution ?? dilutions.position
    epoch.fix.horizontalDilution = epoch.fix.horizontalDilution ?? dilutions.horizontal
    epoch.verticalDilution = epoch.verticalDilution ?? dilutions.vertical
    epoch.timeDilution = epoch.timeDilution ?? dilutions.time
  }

  mutating func add(_ fused: PQTMDRPVA) {
    let isFix = fused.kind.map { $0 != .none }
    place(fused.position, isValid: isFix, kind: fused.kind)
    guard isFix == true else { return }
    epoch.printedAltitudeMetres = fused.altitudeMetres ?? epoch.printedAltitudeMetres
    altitude(fused.altitudeMetres, fused.geoidSeparationMetres)
    epoch.velocity = fused.velocity ?? epoch.velocity
    epoch.fix.speedMetresPerSecond = fused.speedMetresPerSecond ?? epoch.fix.speedMetresPerSecond
  }

  mutating func add(_ modem: CGPSINFO) {
    place(modem.position, isValid: modem.position != nil, kind: .threeDimensional)
    guard modem.position != nil else { return }
    date = modem.date ?? date
    epoch.printedAltitudeMetres = modem.altitudeMetres ?? epoch.printedAltitudeMetres
    altitude(modem.altitudeMetres, nil)
    epoch.fix.speedMetresPerSecond = epoch.fix.speedMetresPerSecond ?? modem.speedMetresPerSecond
    epoch.fix.course = epoch.fix.course ?? modem.course
  }
}
