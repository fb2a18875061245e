import EarthModel
import Quantities

/// The newest position, speed and UTC of the receiver.
struct PlaceOfFix: Sendable {
  /// Longest age of a valid fix, s.
  static let longestAge = SourceState.Age.lostFix

  private(set) var fix: Fix?
  private var clock: (utc: UTCTime, at: Timestamp)?
  private var newest = Timestamp(nanoseconds: 0)
  /// Mean sea level above the ellipsoid at the last fix, metres.
  private(set) var geoidSeparationMetres: Double?
  /// The receiver's own separation, and when it was last reported.
  private var received: (separationMetres: Double, at: Timestamp)?

  /// Adds the missing altitude to a fix with only one, by the receiver's own recent separation,
  /// else by EGM96: altitudes from different sentences must not differ because the receiver uses
  /// another geoid.
  mutating func complete(_ fix: inout Fix) {
    if let ellipsoidal = fix.ellipsoidalAltitudeMetres, let sea = fix.altitudeMetres {
      received = (ellipsoidal - sea, fix.timestamp)
      geoidSeparationMetres = ellipsoidal - sea
    } else if let received, fix.timestamp.seconds(since: received.at) <= Self.longestAge {
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
    // An epoch without a position does not remove the last one; that ends by its age.
    guard fix.position != nil || self.fix?.position == nil else { return }
    self.fix = fix
  }

  /// True if the receiver has sent fixes but no UTC yet.
  var hasUndatedFix: Bool { fix != nil && clock == nil }

  func utc(at t: Timestamp) -> UTCTime? {
    clock.map { $0.utc.advanced(bySeconds: t.seconds(since: $0.at)) }
  }

  /// Describes the receiver's own solution while it is recent.
  func describe(_ e: inout Estimate) {
    guard let fix else { return }
    guard e.timestamp.seconds(since: fix.timestamp) <= Self.longestAge else {
      e.fixKind = FixKind.none
      return
    }
    e.fixKind = fix.kind
    e.fixTimestamp = fix.timestamp
    e.position = fix.position
    e.horizontalAccuracyMetres = fix.horizontalAccuracyMetres
    e.speedMetresPerSecond = fix.speedMetresPerSecond
    e.course = fix.usableCourse
    e.satellitesUsed = fix.satellitesUsed
    e.speedAccuracyMetresPerSecond = fix.speedAccuracyMetresPerSecond
    e.courseAccuracy = e.course == nil ? nil : fix.courseAccuracy
    e.horizontalDilution = fix.horizontalDilution
    e.verticalDilution = fix.verticalDilution
    e.correctionAgeSeconds = fix.correctionAgeSeconds
  }
}
