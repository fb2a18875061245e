import JSON
import Quantities

/// A position as a message of OwnTracks and as the parameters of the OsmAnd protocol, which Traccar
/// and other servers of trackers read.
///
/// The time is always that of the fix. Neither protocol can mark a simulation, so a simulated
/// position is not reported.
/// - Source: OwnTracks Booklet, "JSON" (owntracks.org/booklet/tech/json); traccar.org/osmand, and
///   the units of the server's decoder (speed in knots).
package struct TrackerPosition: Sendable {
  /// Why a position is reported.
  package enum Reason: Sendable {
    /// It is the first one, or the device moves, turns, starts or stops.
    case movement
    /// A sign of life at rest.
    case heartbeat
  }

  private let place: GeodeticPosition
  private let time: UTCTime
  private let estimate: Estimate

  /// The position of an estimate; nil without one, without its civil time, and in a simulation.
  package init?(_ estimate: Estimate) {
    guard !estimate.isSimulated, let kind = estimate.fixKind, kind != .none, kind != .simulated,
      let place = estimate.position, let time = estimate.fixUTC
    else { return nil }
    (self.place, self.time, self.estimate) = (place, time, estimate)
  }

  private var unixSeconds: Int { Int(bounded: time.secondsSince1970.rounded(.down)) }

  /// The message of the type `location`: whole metres, degrees and km/h, as the booklet asks. The
  /// last two characters of the topic are the tracker's identifier, and a message that is posted by
  /// HTTP names the topic. The monitoring mode is 2 for a device that moves, else 1.
  package func ownTracks(
    topic: String, isPosted: Bool, _ reason: Reason, isMoving: Bool
  ) -> [UInt8] {
    JSONWriter.object { json in
      json.add("_type", "location")
      json.add("tst", unixSeconds)
      json.add("lat", place.latitude.degrees, decimals: 6)
      json.add("lon", place.longitude.wrappedToHalfTurn.degrees, decimals: 6)
      // Rounded up: a radius is never stated smaller than it is.
      json.add("acc", estimate.horizontalAccuracyMetres.map { Self.whole($0.rounded(.up)) })
      json.add("alt", estimate.altitudeMetres.map { Self.whole($0.rounded()) })
      json.add("vac", estimate.verticalAccuracyMetres.map { Self.whole($0.rounded(.up)) })
      json.add("vel", estimate.speedMetresPerSecond.map { Self.whole(($0 * 3.6).rounded()) })
      json.add("cog", estimate.course.map { Self.whole($0.degreesBelowTurn(decimals: 0)) })
      json.add("t", reason == .heartbeat ? "p" : "t")
      json.add("m", isMoving ? 2 : 1)
      json.add("tid", String(topic.suffix(2)))
      if isPosted { json.add("topic", topic) }
    }
  }

  /// The message of the type `lwt`, which a broker publishes where the connection is lost.
  package static func ownTracksWill(at time: UTCTime) -> [UInt8] {
    JSONWriter.object { json in
      json.add("_type", "lwt")
      json.add("tst", whole(time.secondsSince1970))
    }
  }

  /// The parameters of the OsmAnd protocol as the content of a POST. The device's identifier at the
  /// server has letters, digits, `-`, `_` and `.`.
  package func osmAnd(id: String) -> [UInt8] {
    var text = Array("id=\(id)&timestamp=\(unixSeconds)".utf8)
    func add(_ name: StaticString, _ value: Double?, decimals: Int) {
      guard let value else { return }
      text.append(ascii: name)
      text.append(value, decimals: decimals)
    }
    add("&lat=", place.latitude.degrees, decimals: 6)
    add("&lon=", place.longitude.wrappedToHalfTurn.degrees, decimals: 6)
    add("&altitude=", estimate.altitudeMetres, decimals: 1)
    add("&speed=", estimate.speedMetresPerSecond.map { $0 * 3600 / 1852 }, decimals: 1)
    add("&bearing=", estimate.course?.degreesBelowTurn(decimals: 0), decimals: 0)
    add("&accuracy=", estimate.horizontalAccuracyMetres, decimals: 1)
    add("&hdop=", estimate.horizontalDilution, decimals: 1)
    return text
  }

  private static func whole(_ value: Double) -> Int { Int(bounded: value) }
}
