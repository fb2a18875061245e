import Quantities

/// The receiver's last word: where, how fast, and when by civil time.
struct PlaceOfFix: Sendable {
  /// A fix older than this says no more where the body is, s.
  static let patience = 10.0

  private var fix: Fix?
  private var clock: (utc: UTCTime, at: Timestamp)?
  private var newest = Timestamp(nanoseconds: 0)
  private(set) var geoidSeparationMetres: Double?

  mutating func update(_ fix: Fix) {
    newest = max(newest, fix.timestamp)
    if let utc = fix.utc { clock = (utc, fix.timestamp) }
    // An epoch without a place does not take the last one away; its age does.
    guard fix.position != nil || self.fix?.position == nil else { return }
    self.fix = fix
    if let ellipsoidal = fix.ellipsoidalAltitudeMetres, let sea = fix.altitudeMetres {
      geoidSeparationMetres = ellipsoidal - sea
    }
  }

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
  }
}
