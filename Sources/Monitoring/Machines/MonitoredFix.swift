/// A fix as the machines take it: judged, and with the accuracy that it is believed to have.
struct MonitoredFix: Sendable {
  let fix: PlaceFix
  let point: EarthPoint
  /// The claimed accuracy, or the scatter of the fixes at this place where that is worse, metres.
  let accuracy: Double
  let verdict: PlausibleTrack.Verdict

  /// True for a place that the track leads to.
  var isOnTrack: Bool {
    switch verdict {
    case .plausible, .believed: true
    case .leap, .suspect: false
    }
  }
}
