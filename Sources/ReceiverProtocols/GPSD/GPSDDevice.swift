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
  /// When its last heading that was used was received.
  var lastHeading: Timestamp?

  init(path: [UInt8], isActive: Bool) {
    self.path = path
    self.isActive = isActive
  }

  /// Discards its reports: another receiver may use the name from now on.
  mutating func deactivate() {
    isActive = false
    fix = nil
    sky = GPSDSky()
    lastHeading = nil
  }
}

/// Selects one of a daemon's devices for headings, which have no quality. It may be another device
/// than that of the fixes.
struct GPSDHeadingChoice: Sendable {
  /// The index of the selected device.
  private(set) var current: Int?

  /// A device without a report for longer than this is replaced, s.
  private static let silenceTimeout = 5.0

  /// True where a device's report is used. The device replaces the selected one where that one is
  /// removed or silent for five seconds.
  mutating func uses(_ index: Int, of devices: [GPSDDevice], at now: Timestamp) -> Bool {
    guard let current, current != index else {
      current = index
      return true
    }
    let used = devices[current]
    let isSilent = used.lastHeading.map { now.seconds(since: $0) > Self.silenceTimeout } ?? true
    guard !used.isActive || isSilent else { return false }
    self.current = index
    return true
  }

  /// Ends the selection of a device that was removed or closed.
  mutating func remove(_ index: Int) {
    if current == index { current = nil }
  }
}
