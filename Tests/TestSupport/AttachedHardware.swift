import Foundation

/// The hardware attached to this machine: tests without a board must not use a real one.
public enum AttachedHardware {
  /// True without an I2C bus and without a port for a receiver.
  public static var isAbsent: Bool {
    do {
      return try !FileManager.default.contentsOfDirectory(atPath: "/dev").contains { name in
        ["i2c-", "ttyACM", "ttyUSB"].contains { name.hasPrefix($0) }
          || ["serial0", "gps0"].contains(name)
      }
    } catch {
      return false
    }
  }
}
