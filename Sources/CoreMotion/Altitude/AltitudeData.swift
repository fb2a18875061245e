import Foundation

/// A change of altitude with the pressure that it was computed from.
open class CMAltitudeData: CMLogItem, @unchecked Sendable {
  private static let key = "altitude"
  private let metres: Double
  private let kilopascal: Double

  /// Metres above the place of the first update.
  open var relativeAltitude: NSNumber { NSNumber(value: metres) }
  /// Kilopascal.
  open var pressure: NSNumber { NSNumber(value: kilopascal) }

  /// Makes a change of zero.
  public override init() {
    (metres, kilopascal) = (0, 0)
    super.init()
  }

  init(relativeAltitude: Double, hectopascal: Double, timestamp: TimeInterval) {
    (metres, kilopascal) = (relativeAltitude, hectopascal / 10)
    super.init(timestamp: timestamp)
  }

  /// Reads a change from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let numbers = coder.decodeNumbers(2, forKey: Self.key) else { return nil }
    (metres, kilopascal) = (numbers[0], numbers[1])
    super.init(coder: coder)
  }

  /// Writes the change into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode([metres, kilopascal], forKey: Self.key)
  }
}

/// An altitude above mean sea level.
open class CMAbsoluteAltitudeData: CMLogItem, @unchecked Sendable {
  private static let key = "absoluteAltitude"
  private let metres: Double
  private let sigma: Double

  /// Metres above mean sea level.
  open var altitude: Double { metres }
  /// One sigma of the altitude, metres.
  open var accuracy: Double { sigma }
  /// The smallest difference that is known, metres.
  open var precision: Double { 0.1 }

  /// Makes an altitude of zero.
  public override init() {
    (metres, sigma) = (0, 0)
    super.init()
  }

  init(altitude: Double, accuracy: Double, timestamp: TimeInterval) {
    (metres, sigma) = (altitude, accuracy)
    super.init(timestamp: timestamp)
  }

  /// Reads an altitude from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let numbers = coder.decodeNumbers(2, forKey: Self.key) else { return nil }
    (metres, sigma) = (numbers[0], numbers[1])
    super.init(coder: coder)
  }

  /// Writes the altitude into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode([metres, sigma], forKey: Self.key)
  }
}
