import Quantities

/// Puts satellites in view (GSV) and in use (GSA) together.
///
/// A group is what one talker tells of one signal; its first part replaces what it told before. A
/// round ends when a group begins for the second time; a group silent for a whole round is gone.
struct SkyCollector: Sendable {
  private struct Group {
    var talker: Talker
    var signalID: UInt8?
    var round: Int64
    var isWhole: Bool
    /// False once it is gone; its memory serves the next one.
    var isThere = true
    var satellites: [SkyView.Satellite]
  }

  private var groups: [Group] = []
  private var round: Int64 = 0
  private var used: [SatelliteID] = []
  private var usedEpoch: Int64?
  private var isNew = false
  /// True where `satellites` came as a whole, not from groups.
  private var isWhole = false
  /// The sky last handed out.
  private var satellites: [SkyView.Satellite] = []

  /// Groups and satellites that no sky has: a stream that invents them cannot grow the memory.
  private static let (mostGroups, mostUsed, mostInGroup) = (32, 128, 64)

  mutating func add(_ gsv: GSV, from talker: Talker) {
    var index = group(talker, gsv.signalID)
    // Some receivers put the signal into the last part only.
    if index == nil, gsv.part > 1 {
      index = groups.lastIndex { $0.isThere && $0.talker == talker && !$0.isWhole }
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
    groups[index].isWhole = gsv.part == gsv.parts
    isNew = true
  }

  private func group(_ talker: Talker, _ signalID: UInt8?) -> Int? {
    groups.firstIndex { $0.isThere && $0.talker == talker && $0.signalID == signalID }
  }

  private mutating func makeGroup(_ talker: Talker, _ signalID: UInt8?) -> Int? {
    if let index = groups.firstIndex(where: { !$0.isThere }) {
      (groups[index].talker, groups[index].signalID) = (talker, signalID)
      groups[index].isThere = true
      return index
    }
    guard groups.count < Self.mostGroups else { return nil }
    groups.append(
      Group(talker: talker, signalID: signalID, round: round, isWhole: false, satellites: []))
    return groups.count - 1
  }

  /// Several GSA of one epoch tell of one system each: together they are the satellites in use.
  mutating func add(_ gsa: GSA, from talker: Talker, epoch: Int64) {
    if usedEpoch != epoch { used.removeAll(keepingCapacity: true) }
    usedEpoch = epoch
    for i in 0..<gsa.count where used.count < Self.mostUsed {
      if let id = SatelliteID(nmea: gsa.numbers[i], talker: talker, systemID: gsa.systemID) {
        used.append(id)
      }
    }
  }

  /// Takes a whole sky at once, as a binary message tells it.
  mutating func replace<Satellites: Sequence>(
    _ all: Satellites, _ satellite: (Satellites.Element) -> SkyView.Satellite?
  ) {
    for index in groups.indices { groups[index].isThere = false }
    satellites.removeAll(keepingCapacity: true)
    // Receivers list them in order, so that one told twice is looked for where the order breaks alone.
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

  /// Takes a whole sky that one sentence tells; `id` makes out whom a number means.
  mutating func replace(_ list: SatelliteList, _ id: (UInt16) -> SatelliteID?) {
    replace(0..<list.count) { index in
      guard let entry = list[index], let id = id(entry.number) else { return nil }
      return SkyView.Satellite(
        id: id, elevationDegrees: entry.elevationDegrees.map { Double($0) },
        azimuthDegrees: entry.azimuthDegrees.map { Double($0) },
        signalDecibelHertz: entry.signalDecibelHertz.map { Double($0) }, isUsed: entry.isUsed)
    }
  }

  /// The sky where satellites in view were told since the last call and no group is half told.
  ///
  /// It is the same memory each time: where the last one was let go, nothing is allocated.
  mutating func take() -> SkyView? {
    guard isNew, !groups.contains(where: { $0.isThere && !$0.isWhole && $0.round == round }) else {
      return nil
    }
    isNew = false
    if !isWhole { join() }
    isWhole = false
    return SkyView(satellites: satellites)
  }

  private mutating func join() {
    satellites.removeAll(keepingCapacity: true)
    for group in groups where group.isThere {
      for var satellite in group.satellites {
        satellite.isUsed = used.contains(satellite.id)
        // Another signal of a satellite that is there already: the stronger one counts.
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
      groups[index].isThere = false
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
      isUsed: satellite.isUsed)
  }

  init?(_ channel: NavSVInfo.Channel) {
    guard let id = channel.id else { return nil }
    self.init(
      id: id, elevationDegrees: channel.elevationDegrees.map { Double($0) },
      azimuthDegrees: channel.azimuthDegrees.map { Double($0) },
      signalDecibelHertz: channel.signalDecibelHertz.map { Double($0) }, isUsed: channel.isUsed)
  }
}
