import Foundation

/// What this machine has attached: a test of a machine without a board must leave a real one alone.
public enum AttachedHardware {
  /// True where there is no I2C bus and no port that a receiver could be at.
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
