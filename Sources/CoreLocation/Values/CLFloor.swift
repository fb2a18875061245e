/// The storey of a building.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let storey: Int

  /// The storey; 0 is the ground floor. It is never derived from the altitude.
  open var level: Int { storey }

  /// True: a floor supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes the ground floor, for subclasses.
  public override init() {
    storey = 0
    super.init()
  }

  package init(level: Int) {
    storey = level
    super.init()
  }

  /// Reads a floor from an archive.
  /// - Returns: nil where the archive holds no floor.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "level") else { return nil }
    storey = coder.decodeInteger(forKey: "level")
    super.init()
  }

  /// Writes the floor into an archive.
  open func encode(with coder: NSCoder) { coder.encode(storey, forKey: "level") }

  /// Itself: a floor never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
