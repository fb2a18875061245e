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

  init(path: [UInt8], isActive: Bool) {
    self.path = path
    self.isActive = isActive
  }

  /// Discards its reports: another receiver may use the name from now on.
  mutating func deactivate() {
    isActive = false
    fix = nil
    sky = GPSDSky()
  }
}
