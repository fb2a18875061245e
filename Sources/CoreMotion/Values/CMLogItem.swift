import Foundation

/// A value with the time of its measurement.
///
/// As on Apple's platforms a program may create, copy, archive and subclass items: what an item of
/// `init()` holds is zero.
open class CMLogItem: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Unchecked: an item never changes, and neither do the package's subclasses.
  private static let timestampKey = "timestamp"
  private let seconds: TimeInterval

  /// Seconds since the machine's start.
  open var timestamp: TimeInterval { seconds }

  /// True: items support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes an item of the time 0.
  public override init() {
    seconds = 0
    super.init()
  }

  init(timestamp: TimeInterval) {
    seconds = timestamp
    super.init()
  }

  /// Reads an item from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let seconds = coder.decodeNumber(forKey: Self.timestampKey) else { return nil }
    self.seconds = seconds
    super.init()
  }

  /// Writes the item into an archive.
  open func encode(with coder: NSCoder) { coder.encode(seconds, forKey: Self.timestampKey) }

  /// Itself: an item never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
