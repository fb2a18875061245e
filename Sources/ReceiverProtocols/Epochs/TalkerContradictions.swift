import Quantities

/// Finds talkers of satellite systems that are not of one receiver.
///
/// The talkers GN, GP, GL, ... usually come from one receiver, which has one solution for each
/// instant. Two that send sentences of the same type are of two receivers where their positions of
/// one instant are more than 3 m apart, or where the time goes back from one to the other, twice.
struct TalkerContradictions: Sendable {
  private struct Place {
    let talker: Talker
    let type: SentenceType
    var time: TimeOfDay
    var position: GeodeticPosition?
    /// Contradictions to the same talker in succession.
    var count = 0
    /// True until another talker's position was compared with it.
    var isNew = true
  }

  private var places: [Place] = []
  private var apart: [Talker] = []

  /// Positions farther apart come from two receivers' antennas, not from rounding of one, m.
  private static let farthest = 3.0
  /// More types of sentences and talkers than a bus has.
  private static let mostPlaces = 24

  /// Whether the talker's positions are of another receiver.
  func isApart(_ talker: Talker) -> Bool { !apart.isEmpty && apart.contains(talker) }

  /// Compares a position with that of the other talkers.
  /// - Returns: Whether a talker is found to be of another receiver.
  mutating func add(_ outline: SentenceOutline, _ talker: Talker) -> Bool {
    guard outline.isPosition, let time = outline.time else { return false }
    let (type, position) = (outline.type, outline.place)
    guard let own = places.firstIndex(where: { $0.talker == talker && $0.type == type }) else {
      if places.count < Self.mostPlaces {
        places.append(Place(talker: talker, type: type, time: time, position: position))
      }
      return false
    }
    (places[own].time, places[own].position, places[own].isNew) = (time, position, true)
    guard places.count > 1,
      let other = places.indices.first(where: {
        places[$0].type == type && places[$0].talker != talker && !isApart(places[$0].talker)
      }), !isApart(talker)
    else { return false }
    // The last position of a talker that has stopped contradicts nothing.
    guard places[other].isNew else { return false }
    places[other].isNew = false
    let isFar =
      places[other].time == time
      ? Self.isFar(places[other].position, position)
      : places[other].time.isLater(than: time)
    places[own].count = isFar ? places[own].count + 1 : 0
    guard places[own].count == 2 else { return false }
    // The messages of a receiver of several systems stay its own.
    apart.append(talker.joinsSystems ? places[other].talker : talker)
    return true
  }

  private static func isFar(_ a: GeodeticPosition?, _ b: GeodeticPosition?) -> Bool {
    guard let a, let b else { return false }
    return WGS84.metres(from: a, to: b) > farthest
  }
}
