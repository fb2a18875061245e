import EarthModel
import GeoidData
import Quantities

/// The receiver's last word: where, how fast, and when by civil time.
struct PlaceOfFix: Sendable {
  /// A fix older than this says no more where the body is, s.
  static let patience = 10.0

  private(set) var fix: Fix?
  private var clock: (utc: UTCTime, at: Timestamp)?
  private var newest = Timestamp(nanoseconds: 0)
  /// Mean sea level above the ellipsoid where the last fix was.
  private(set) var geoidSeparationMetres: Double?
  /// What the receiver itself went by, and when it last said so.
  private var received: (separationMetres: Double, at: Timestamp)?

  /// Gives a fix with one altitude the other one, by the separation that the receiver went by lately, else
  /// by EGM96: a receiver's sentences must not disagree for the table that it carries.
  mutating func complete(_ fix: inout Fix) {
    if let ellipsoidal = fix.ellipsoidalAltitudeMetres, let sea = fix.altitudeMetres {
      received = (ellipsoidal - sea, fix.timestamp)
      geoidSeparationMetres = ellipsoidal - sea
    } else if let received, fix.timestamp.seconds(since: received.at) <= Self.patience {
      geoidSeparationMetres = received.separationMetres
      fix.completeAltitudes(separationMetres: received.separationMetres, errorMetres: 0)
    } else if let position = fix.position,
      let separation = Geoid.egm96.separationMetres(at: position)
    {
      geoidSeparationMetres = separation
      fix.completeAltitudes(
        separationMetres: separation, errorMetres: Geoid.separationErrorMetres)
    }
  }

  mutating func update(_ fix: Fix) {
    newest = max(newest, fix.timestamp)
    if let utc = fix.utc { clock = (utc, fix.timestamp) }
    // An epoch without a place does not take the last one away; its age does.
    guard fix.position != nil || self.fix?.position == nil else { return }
    self.fix = fix
  }

  /// True where a receiver has sent fixes but no civil time yet.
  var hasUndatedFix: Bool { fix != nil && clock == nil }

  func utc(at t: Timestamp) -> UTCTime? {
    clock.map { $0.utc.advanced(bySeconds: t.seconds(since: $0.at)) }
  }

  func describe(_ e: inout Estimate) {
    guard let fix else { return }
    guard e.timestamp.seconds(since: fix.timestamp) <= Self.patience else {
      e.fixKind = FixKind.none
      return
    }
    e.fixKind = fix.kind
    e.fixTimestamp = fix.timestamp
    e.position = fix.position
    e.horizontalAccuracyMetres = fix.horizontalAccuracyMetres
    e.speedMetresPerSecond = fix.speedMetresPerSecond
    e.course = fix.course
    e.satellitesUsed = fix.satellitesUsed
    e.speedAccuracyMetresPerSecond = fix.speedAccuracyMetresPerSecond
    e.courseAccuracy = fix.courseAccuracy
    e.horizontalDilution = fix.horizontalDilution
    e.verticalDilution = fix.verticalDilution
    e.correctionAgeSeconds = fix.correctionAgeSeconds
  }
}
