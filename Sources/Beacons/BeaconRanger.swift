import Quantities

/// A beacon in a report.
public struct RangedBeacon: Equatable, Sendable {
  /// Who.
  public var identity: BeaconIdentity
  /// The mean strength of what was heard since the last report, dBm; where nothing was, the last mean; nil
  /// once the beacon was not heard for `unknownAfterSeconds`.
  public var rssiDBm: Int?
  /// The distance, metres, from the smoothed strength; nil where it is not known.
  /// - Accuracy: A factor of 2 either way is one sigma of the shadowing inside a building (`RSSIRange`).
  public var accuracyMetres: Double?
  /// The distance in words.
  public var proximity: BeaconProximity { BeaconProximity(metres: accuracyMetres) }
  /// When it was heard last.
  public var lastHeard: Timestamp
}

/// Makes reports of the beacons that a constraint means: sightings in, a list out for each report.
///
/// Within an interval the strengths are averaged in dB, as Core Location says of `rssi`. The distance comes
/// from those means smoothed over `smoothingSeconds`, as a single one jumps by several dB where somebody
/// walks past. A beacon that falls silent keeps its values for `unknownAfterSeconds`, then is listed without,
/// then leaves: what BlueZ leaves out between two rounds of discovery must not look like a beacon that is gone.
public struct BeaconRanger: Sendable {
  /// What can be tuned.
  public struct Parameters: Equatable, Sendable {
    /// The distance's time constant, seconds. Smaller: follows sooner, jumps more. 0: not smoothed.
    public var smoothingSeconds = 2.0
    /// How long a silent beacon keeps its values, seconds. Smaller: flickers with beacons that send once a
    /// second; larger: one that is gone is shown longer.
    public var unknownAfterSeconds = 3.0
    /// How long a silent beacon stays listed, seconds; iPhones are seen to list it for about 10.
    public var goneAfterSeconds = 10.0
    /// How many beacons are kept; beyond, the one that was silent longest leaves.
    public var capacity = 256
    /// From strength to distance.
    public var range = RSSIRange()

    /// The defaults.
    public init() {}
  }

  private struct Track {
    var measuredPowerDBm: Int8
    var sum = 0.0
    var count = 0
    var mean: Double?
    /// The strength at 1 m less the strength here, smoothed: beacons may change their power.
    var smoothedLoss: Double?
    var lastReport: Timestamp?
    var lastHeard: Timestamp
  }

  /// Which beacons are meant.
  public let constraint: BeaconConstraint
  private let parameters: Parameters
  private var tracks: [BeaconIdentity: Track] = [:]

  /// Begins without beacons.
  public init(_ constraint: BeaconConstraint, parameters: Parameters = Parameters()) {
    self.constraint = constraint
    self.parameters = parameters
  }

  /// How many beacons it keeps.
  public var count: Int { tracks.count }

  /// Takes a sighting; those of other beacons are passed over.
  public mutating func hear(_ sighting: BeaconSighting) {
    guard constraint.contains(sighting.identity) else { return }
    if tracks[sighting.identity] == nil, tracks.count >= max(1, parameters.capacity) {
      // The order decides between equals, so that the same sightings leave the same beacons.
      let oldest = tracks.min { a, b in
        (a.value.lastHeard, a.key) < (b.value.lastHeard, b.key)
      }
      if let oldest { tracks[oldest.key] = nil }
    }
    var track =
      tracks[sighting.identity]
      ?? Track(measuredPowerDBm: sighting.measuredPowerDBm, lastHeard: sighting.instant)
    track.measuredPowerDBm = sighting.measuredPowerDBm
    track.lastHeard = max(track.lastHeard, sighting.instant)
    if let rssi = sighting.rssiDBm {
      track.sum += Double(rssi)
      track.count += 1
    }
    tracks[sighting.identity] = track
  }

  /// The beacons, nearest first, those of unknown distance last.
  /// - Parameter now: The instant of the report, not before the last one's.
  /// - Returns: What was heard and has not been silent for too long.
  public mutating func report(at now: Timestamp) -> [RangedBeacon] {
    var beacons: [RangedBeacon] = []
    for (identity, track) in tracks {
      let silence = now.seconds(since: track.lastHeard)
      guard silence < parameters.goneAfterSeconds else {
        tracks[identity] = nil
        continue
      }
      let kept = settle(track, at: now)
      tracks[identity] = kept
      beacons.append(beacon(identity, kept, isSilent: silence >= parameters.unknownAfterSeconds))
    }
    return beacons.sorted { a, b in
      let (near, far) = (a.accuracyMetres ?? .infinity, b.accuracyMetres ?? .infinity)
      return near == far ? a.identity < b.identity : near < far
    }
  }

  /// Ends the interval: its mean becomes part of the smoothed strength.
  private func settle(_ track: Track, at now: Timestamp) -> Track {
    var track = track
    guard track.count > 0 else { return track }
    let mean = track.sum / Double(track.count)
    let loss = Double(track.measuredPowerDBm) - mean
    let elapsed = track.lastReport.map { now.seconds(since: $0) } ?? .infinity
    // After a silence the past says nothing: it would take the beacon for where it was.
    if let before = track.smoothedLoss, elapsed < parameters.unknownAfterSeconds {
      let time = max(parameters.smoothingSeconds, 0)
      let weight = elapsed > 0 ? elapsed / (elapsed + time) : 0
      track.smoothedLoss = before + weight * (loss - before)
    } else {
      track.smoothedLoss = loss
    }
    track.mean = mean
    track.sum = 0
    track.count = 0
    track.lastReport = now
    return track
  }

  private func beacon(_ identity: BeaconIdentity, _ track: Track, isSilent: Bool) -> RangedBeacon {
    var beacon = RangedBeacon(
      identity: identity, rssiDBm: nil, accuracyMetres: nil, lastHeard: track.lastHeard)
    guard !isSilent, let mean = track.mean, let loss = track.smoothedLoss else { return beacon }
    beacon.rssiDBm = Int(mean.rounded())
    beacon.accuracyMetres = parameters.range.metres(rssiDBm: -loss, measuredPowerDBm: 0)
    return beacon
  }
}
