/// A fix with its plausibility and accuracy, the input of the state machines.
struct MonitoredFix: Sendable {
  let fix: PlaceFix
  let point: EarthPoint
  /// The radius that holds the place with 68 % probability, metres.
  let accuracy: Double
  let verdict: PlausibleTrack.Verdict
  /// The path from the previous fix of the accepted track; nil where there is none.
  var segment: TrackSegment?

  /// True where a reflection may have moved the fix.
  var isBeyondLeap: Bool { verdict == .suspect || segment?.isContradicted == true }

  /// True where the fix continues the track.
  var isOnTrack: Bool {
    switch verdict {
    case .plausible, .believed: true
    case .leap, .suspect: false
    }
  }
}
