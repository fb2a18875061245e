import Quantities

/// A receiver that a daemon has.
public struct GPSDDevice: Equatable, Sendable {
  /// The daemon's name for it, such as `/dev/ttyACM0`; empty where reports name none.
  public internal(set) var path: [UInt8]
  /// True while the daemon has it, read or not.
  public internal(set) var isListed = true
  /// True while the daemon reads it.
  public internal(set) var isActive: Bool

  /// What it last said of an instant.
  var fix: GPSDFix?
  /// When that instant's first report came in.
  var instantBegan = Timestamp(nanoseconds: 0)
  /// True once an epoch of that instant was given out.
  var isInstantTold = false
  var sky = GPSDSky()
  /// When it last gave an epoch that was used.
  var lastEpoch: Timestamp?
  /// When it last gave a heading that was used.
  var lastHeading: Timestamp?

  init(path: [UInt8], isActive: Bool) {
    self.path = path
    self.isActive = isActive
  }

  /// How good its fixes are, from none.
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

  /// Forgets what it said: another receiver may be behind the name from now on.
  mutating func deactivate() {
    isActive = false
    fix = nil
    sky = GPSDSky()
    (lastEpoch, lastHeading) = (nil, nil)
  }
}

/// Which of a daemon's devices is used: fixes of one device at a time, so that the place does not jump
/// between two antennas, and headings of one compass, which may be another device.
struct GPSDDeviceChoice: Sendable {
  /// The device that was asked for; nil for the best.
  let asked: [UInt8]?
  /// Whether it is about headings, of which none is better than another.
  let isOfHeadings: Bool
  /// The place in the list of the device whose fixes are used.
  private(set) var current: Int?
  private var chosenAt = Timestamp(nanoseconds: 0)

  /// A better device has to wait as long as this since the last change, s: no flapping.
  private static let holdSeconds = 10.0
  /// A device that has given nothing for longer than this may be replaced, s.
  private static let patience = 5.0

  init(asked: [UInt8]?, isOfHeadings: Bool) {
    self.asked = asked
    self.isOfHeadings = isOfHeadings
  }

  /// Whether what a device says is to be used; it may take the place of the one in use. That happens at once
  /// where that one is gone, silent for five seconds, or without a fix that this one has; and after ten
  /// seconds where this one's fix is of a better kind.
  mutating func uses(_ index: Int, of devices: [GPSDDevice], at now: Timestamp) -> Bool {
    if let asked {
      // A daemon with a single device need not name it.
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
    let isSilent = last.map { now.seconds(since: $0) > Self.patience } ?? true
    let mayChange =
      !used.isActive || isSilent
      || isBetter && (used.rank == 0 || now.seconds(since: chosenAt) >= Self.holdSeconds)
    if mayChange { choose(index, now) }
    return mayChange
  }

  /// The device at a place in the list is gone.
  mutating func lost(_ index: Int) {
    if current == index { current = nil }
  }

  private mutating func choose(_ index: Int, _ now: Timestamp) {
    current = index
    chosenAt = now
  }
}
