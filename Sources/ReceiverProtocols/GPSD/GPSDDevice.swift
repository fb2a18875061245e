import Quantities

/// A receiver or compass of a gpsd daemon.
public struct GPSDDevice: Equatable, Sendable {
  /// The daemon's name for it, such as `/dev/ttyACM0`; empty where reports name none.
  public internal(set) var path: [UInt8]
  /// True while the device is in the daemon's list, active or not.
  public internal(set) var isListed = true
  /// True while the daemon reads it.
  public internal(set) var isActive: Bool

  /// The reports of its newest instant, joined.
  var fix: GPSDFix?
  /// When the first report of that instant was received.
  var instantBegan = Timestamp(nanoseconds: 0)
  /// True once an epoch of that instant was reported.
  var isInstantReported = false
  var sky = GPSDSky()
  /// When its last epoch that was used was received.
  var lastEpoch: Timestamp?
  /// When its last heading that was used was received.
  var lastHeading: Timestamp?

  init(path: [UInt8], isActive: Bool) {
    self.path = path
    self.isActive = isActive
  }

  /// Quality of its fix; 0 for none.
  var rank: Int {
    guard let fix else { return 0 }
    return switch fix.kind {
    case .none: 0
    case .simulated: 1
    case .deadReckoning, .network: 2
    case .twoDimensional: 3
    case .threeDimensional: 4
    case .differential: 5
    case .rtkFloat: 6
    case .rtkFixed: 7
    }
  }

  /// Discards its reports: another receiver may use the name from now on.
  mutating func deactivate() {
    isActive = false
    fix = nil
    sky = GPSDSky()
    (lastEpoch, lastHeading) = (nil, nil)
  }
}

/// Selects one of a daemon's devices: one for fixes, so that the position does not jump between two
/// antennas, and one for headings, which may be another device.
struct GPSDDeviceChoice: Sendable {
  /// The path of the requested device; nil for the best one.
  let asked: [UInt8]?
  /// True for the selection of headings, which have no quality.
  let isOfHeadings: Bool
  /// The index of the selected device.
  private(set) var current: Int?
  private var chosenAt = Timestamp(nanoseconds: 0)

  /// Shortest time between a selection and the change to a better device, s: prevents flapping.
  private static let holdSeconds = 10.0
  /// A device without a report for longer than this may be replaced, s.
  private static let silenceTimeout = 5.0

  init(asked: [UInt8]?, isOfHeadings: Bool) {
    self.asked = asked
    self.isOfHeadings = isOfHeadings
  }

  /// True where a device's report is used. The device replaces the selected one at once where that
  /// one is removed, silent for five seconds, or without a fix while this one has one; and after
  /// ten seconds where this one's fix is of a better kind.
  mutating func uses(_ index: Int, of devices: [GPSDDevice], at now: Timestamp) -> Bool {
    if let asked {
      // A daemon with a single device may omit its name.
      guard devices[index].path == asked || devices[index].path.isEmpty else { return false }
      current = index
      return true
    }
    guard let current, current != index else {
      if current == nil { choose(index, now) }
      return true
    }
    let (used, other) = (devices[current], devices[index])
    let isBetter = !isOfHeadings && other.rank > used.rank
    let last = isOfHeadings ? used.lastHeading : used.lastEpoch
    let isSilent = last.map { now.seconds(since: $0) > Self.silenceTimeout } ?? true
    let mayChange =
      !used.isActive || isSilent
      || isBetter && (used.rank == 0 || now.seconds(since: chosenAt) >= Self.holdSeconds)
    if mayChange { choose(index, now) }
    return mayChange
  }

  /// Ends the selection of a device that was removed or closed.
  mutating func remove(_ index: Int) {
    if current == index { current = nil }
  }

  private mutating func choose(_ index: Int, _ now: Timestamp) {
    current = index
    chosenAt = now
  }
}
