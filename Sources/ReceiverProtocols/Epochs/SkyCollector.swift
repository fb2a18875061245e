import Quantities

/// Joins satellites in view (GSV) and in use (GSA).
///
/// A group contains the satellites of one talker and one signal; its first part replaces its
/// previous content. A round ends when a group begins for the second time. A group that is missing
/// from a whole round is removed.
struct SkyCollector: Sendable {
  private struct Group {
    var talker: Talker
    var signalID: UInt8?
    var round: Int64
    var isWhole: Bool
    /// The number of its sentences.
    var parts = 1
    /// False once it is removed; its memory is reused for the next group.
    var isInUse = true
    var satellites: [SkyView.Satellite]
  }

  private var groups: [Group] = []
  private var round: Int64 = 0
  private var used: [SatelliteID] = []
  private var usedEpoch: Int64?
  private var isNew = false
  /// True where one message contained all of `satellites`, so that no groups are joined.
  private var isWhole = false
  /// The last sky that was reported.
  private var satellites: [SkyView.Satellite] = []
  /// Signals for the next sky, of a message that has nothing else.
  private var signals: [SkyView.Satellite] = []

  /// More groups and satellites than any sky has: limits the memory that an invalid stream can
  /// cause.
  private static let (mostGroups, mostUsed, mostInGroup) = (32, 128, 64)

  mutating func add(_ gsv: GSV, from talker: Talker) {
    var index = group(talker, gsv.signalID)
    // Some receivers send the signal in the last part only.
    if index == nil, gsv.part > 1 {
      index = groups.lastIndex { $0.isInUse && $0.talker == talker && !$0.isWhole }
    }
    if gsv.part == 1 {
      if let index, groups[index].round == round { startRound() }
      index = group(talker, gsv.signalID) ?? makeGroup(talker, gsv.signalID)
      if let index {
        groups[index].satellites.removeAll(keepingCapacity: true)
        (groups[index].round, groups[index].isWhole) = (round, false)
      }
    }
    guard let index else { return }
    gsv.forEachEntry { entry in
      guard groups[index].satellites.count < Self.mostInGroup,
        let id = SatelliteID(nmea: entry.number, talker: talker, systemID: nil)
      else { return }
      groups[index].satellites.append(
        SkyView.Satellite(
          id: id, elevationDegrees: entry.elevationDegrees.map { Double($0) },
          azimuthDegrees: entry.azimuthDegrees.map { Double($0) },
          signalDecibelHertz: entry.signalDecibelHertz.map { Double($0) }))
    }
    if let parts = gsv.parts { groups[index].parts = parts }
    groups[index].isWhole = gsv.part == groups[index].parts
    isNew = true
  }

  private func group(_ talker: Talker, _ signalID: UInt8?) -> Int? {
    groups.firstIndex { $0.isInUse && $0.talker == talker && $0.signalID == signalID }
  }

  private mutating func makeGroup(_ talker: Talker, _ signalID: UInt8?) -> Int? {
    if let index = groups.firstIndex(where: { !$0.isInUse }) {
      (groups[index].talker, groups[index].signalID) = (talker, signalID)
      groups[index].isInUse = true
      return index
    }
    guard groups.count < Self.mostGroups else { return nil }
    groups.append(
      Group(talker: talker, signalID: signalID, round: round, isWhole: false, satellites: []))
    return groups.count - 1
  }

  /// Adds satellites in use. An epoch may have several GSA, each for one system.
  mutating func add(_ gsa: GSA, from talker: Talker, epoch: Int64) {
    if usedEpoch != epoch { used.removeAll(keepingCapacity: true) }
    usedEpoch = epoch
    for i in 0..<gsa.count where used.count < Self.mostUsed {
      if let id = SatelliteID(nmea: gsa.numbers[i], talker: talker, systemID: gsa.systemID) {
        used.append(id)
      }
    }
  }

  /// Replaces the sky by that of one binary message.
  mutating func replace<Satellites: Sequence>(
    _ all: Satellites, _ satellite: (Satellites.Element) -> SkyView.Satellite?
  ) {
    for index in groups.indices { groups[index].isInUse = false }
    satellites.removeAll(keepingCapacity: true)
    // Receivers send them in order, so only a satellite out of order can be a duplicate.
    var last: UInt32 = 0
    for element in all {
      guard let next = satellite(element) else { continue }
      let order = UInt32(next.id.constellation.rawValue) << 16 | UInt32(next.id.number)
      if order <= last, satellites.contains(where: { $0.id == next.id }) { continue }
      last = max(last, order)
      satellites.append(next)
    }
    (isNew, isWhole) = (true, true)
  }

  /// Keeps signals for the satellites of the next sky that come without.
  mutating func add(signals: [SkyView.Satellite]) { self.signals = signals }

  private mutating func addSignals() {
    for index in satellites.indices where satellites[index].signalDecibelHertz == nil {
      let id = satellites[index].id
      satellites[index].signalDecibelHertz =
        signals.first { $0.id == id }?.signalDecibelHertz
    }
    signals.removeAll()
  }

  /// Replaces the sky by that of one sentence; `id` identifies the satellite of a number.
  mutating func replace(_ list: SatelliteList, _ id: (UInt16) -> SatelliteID?) {
    replace(0..<list.count) { index in
      guard let entry = list[index], let id = id(entry.number) else { return nil }
      return SkyView.Satellite(
        id: id, elevationDegrees: entry.elevationDegrees.map { Double($0) },
        azimuthDegrees: entry.azimuthDegrees.map { Double($0) },
        signalDecibelHertz: entry.signalDecibelHertz.map { Double($0) }, isUsed: entry.isUsed)
    }
  }

  /// The sky; nil where no satellites in view were received since the last call or a group is
  /// incomplete.
  ///
  /// The memory is reused: where the last sky was released, nothing is allocated.
  mutating func nextSky() -> SkyView? {
    guard isNew, !groups.contains(where: { $0.isInUse && !$0.isWhole && $0.round == round }) else {
      return nil
    }
    isNew = false
    if !isWhole { join() }
    isWhole = false
    if !signals.isEmpty { addSignals() }
    return SkyView(satellites: satellites)
  }

  private mutating func join() {
    satellites.removeAll(keepingCapacity: true)
    for group in groups where group.isInUse {
      for var satellite in group.satellites {
        satellite.isUsed = used.contains(satellite.id)
        // For several signals of one satellite, the strongest one is reported.
        if let at = satellites.firstIndex(where: { $0.id == satellite.id }) {
          let (old, new) = (satellites[at].signalDecibelHertz, satellite.signalDecibelHertz)
          if (new ?? -1) > (old ?? -1) { satellites[at].signalDecibelHertz = new }
        } else {
          satellites.append(satellite)
        }
      }
    }
  }

  private mutating func startRound() {
    for index in groups.indices where groups[index].round < round {
      groups[index].isInUse = false
    }
    round += 1
  }
}

extension SkyView.Satellite {
  init?(_ satellite: NavSat.Satellite) {
    guard let id = satellite.id else { return nil }
    self.init(
      id: id, elevationDegrees: satellite.elevationDegrees.map { Double($0) },
      azimuthDegrees: satellite.azimuthDegrees.map { Double($0) },
      signalDecibelHertz: satellite.signalDecibelHertz.map { Double($0) },
      isUsed: satellite.isUsed, isHealthy: satellite.isHealthy)
  }

  init?(_ channel: NavSVInfo.Channel) {
    guard let id = channel.id else { return nil }
    self.init(
      id: id, elevationDegrees: channel.elevationDegrees.map { Double($0) },
      azimuthDegrees: channel.azimuthDegrees.map { Double($0) },
      signalDecibelHertz: channel.signalDecibelHertz.map { Double($0) }, isUsed: channel.isUsed)
  }
}
