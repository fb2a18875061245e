import Quantities

/// A beacon in a report.
public struct RangedBeacon: Equatable, Sendable {
  /// The beacon's identity.
  public var identity: BeaconIdentity
  /// The mean strength since the last report, dBm; without advertisements the last mean; nil after
  /// a silence of `unknownAfterSeconds`.
  public var rssiDBm: Int?
  /// The distance, metres, from the smoothed strength; nil if unknown.
  /// - Accuracy: A factor of 2 either way is one sigma of the shadowing inside a building
  ///   (`RSSIRange`).
  public var accuracyMetres: Double?
  /// The class of the distance.
  public var proximity: BeaconProximity { BeaconProximity(metres: accuracyMetres) }
  /// The instant of the last sighting.
  public var lastSeen: Timestamp
}

/// Ranges the beacons of a constraint: sightings in, a list out for each report.
///
/// Within an interval the strengths are averaged in dB, as Core Location documents for `rssi`. The
/// distance follows from these means smoothed over `smoothingSeconds`, because a single mean
/// changes by several dB when a person walks past. A silent beacon has unchanged values for
/// `unknownAfterSeconds`, is then listed without values, and is removed after `goneAfterSeconds`: a
/// pause of BlueZ between two rounds of discovery must not remove a beacon.
public struct BeaconRanger: Sendable {
  /// The tuning parameters.
  public struct Parameters: Equatable, Sendable {
    /// The distance's time constant, seconds. Smaller: follows sooner, jumps more. 0: not smoothed.
    public var smoothingSeconds = 2.0
    /// Time for which the values of a silent beacon are unchanged, seconds. Smaller: flickers with
    /// beacons that send once a second; larger: an absent beacon is shown longer.
    public var unknownAfterSeconds = 3.0
    /// Time for which a silent beacon is listed, seconds; about 10 on iPhones.
    public var goneAfterSeconds = 10.0
    /// Most beacons; beyond, the one with the longest silence is removed.
    public var capacity = 256
    /// The model that converts strength to distance.
    public var range = RSSIRange()

    /// The defaults.
    public init() {}
  }

  private struct Track {
    var measuredPowerDBm: Int8
    var sum = 0.0
    var count = 0
    var mean: Double?
    /// The strength at 1 m minus the received strength, smoothed: beacons may change their power.
    var smoothedLoss: Double?
    var lastReport: Timestamp?
    var lastSeen: Timestamp
  }

  /// The beacons to range.
  public let constraint: BeaconConstraint
  private let parameters: Parameters
  private var tracks: [BeaconIdentity: Track] = [:]

  /// Starts without beacons.
  public init(_ constraint: BeaconConstraint, parameters: Parameters = Parameters()) {
    self.constraint = constraint
    self.parameters = parameters
  }

  /// The number of tracked beacons.
  public var count: Int { tracks.count }

  /// Adds a sighting; other beacons are ignored.
  public mutating func add(_ sighting: BeaconSighting) {
    guard constraint.contains(sighting.identity) else { return }
    if tracks[sighting.identity] == nil, tracks.count >= max(1, parameters.capacity) {
      // Ties are resolved by identity, so that the result is deterministic.
      let oldest = tracks.min { a, b in
        (a.value.lastSeen, a.key) < (b.value.lastSeen, b.key)
      }
      if let oldest { tracks[oldest.key] = nil }
    }
    var track =
      tracks[sighting.identity]
      ?? Track(measuredPowerDBm: sighting.measuredPowerDBm, lastSeen: sighting.instant)
    track.measuredPowerDBm = sighting.measuredPowerDBm
    track.lastSeen = max(track.lastSeen, sighting.instant)
    if let rssi = sighting.rssiDBm {
      track.sum += Double(rssi)
      track.count += 1
    }
    tracks[sighting.identity] = track
  }

  /// The beacons, nearest first, those of unknown distance last.
  /// - Parameter now: The instant of the report, not before the previous one's.
  /// - Returns: The beacons without those that were silent for `goneAfterSeconds`.
  public mutating func report(at now: Timestamp) -> [RangedBeacon] {
    var beacons: [RangedBeacon] = []
    for (identity, track) in tracks {
      let silence = now.seconds(since: track.lastSeen)
      guard silence < parameters.goneAfterSeconds else {
        tracks[identity] = nil
        continue
      }
      let kept = endInterval(track, at: now)
      tracks[identity] = kept
      beacons.append(beacon(identity, kept, isSilent: silence >= parameters.unknownAfterSeconds))
    }
    return beacons.sorted { a, b in
      let (near, far) = (a.accuracyMetres ?? .infinity, b.accuracyMetres ?? .infinity)
      return near == far ? a.identity < b.identity : near < far
    }
  }

  /// Ends the interval: adds its mean to the smoothed strength.
  private func endInterval(_ track: Track, at now: Timestamp) -> Track {
    var track = track
    guard track.count > 0 else { return track }
    let mean = track.sum / Double(track.count)
    let loss = Double(track.measuredPowerDBm) - mean
    let elapsed = track.lastReport.map { now.seconds(since: $0) } ?? .infinity
    // After a silence the smoothing restarts: the beacon may be elsewhere.
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
      identity: identity, rssiDBm: nil, accuracyMetres: nil, lastSeen: track.lastSeen)
    guard !isSilent, let mean = track.mean, let loss = track.smoothedLoss else { return beacon }
    beacon.rssiDBm = Int(bounded: mean.rounded())
    beacon.accuracyMetres = parameters.range.metres(rssiDBm: -loss, measuredPowerDBm: 0)
    return beacon
  }
}
