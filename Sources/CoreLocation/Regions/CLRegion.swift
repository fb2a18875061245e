internal import LinuxIO

/// A region that can be entered and left. Programs use one of its subclasses.
///
/// Two regions are equal if their identifiers are equal: monitoring identifies a region by its
/// identifier alone.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let name: String
  private let circle: Circle?
  private let notices = Locked(Notices())

  private struct Notices {
    var onEntry = true
    var onExit = true
  }

  struct Circle {
    var center: CLLocationCoordinate2D
    var radius: CLLocationDistance
  }

  /// Names the region within the program.
  open var identifier: String { name }

  /// Whether an entry is reported.
  open var notifyOnEntry: Bool {
    get { notices.withLock { $0.onEntry } }
    set { notices.withLock { $0.onEntry = newValue } }
  }

  /// Whether an exit is reported.
  open var notifyOnExit: Bool {
    get { notices.withLock { $0.onExit } }
    set { notices.withLock { $0.onExit = newValue } }
  }

  /// True: a region supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes a region without an identifier or place, for subclasses.
  public override init() {
    (name, circle) = ("", nil)
    super.init()
  }

  init(identifier: String, circle: Circle?) {
    (name, self.circle) = (identifier, circle)
    super.init()
  }

  /// The form before `CLCircularRegion`.
  /// - Parameters:
  ///   - center: The middle.
  ///   - radius: Metres.
  ///   - identifier: Names the region within the program.
  @available(*, deprecated, message: "Use CLCircularRegion")
  public init(
    circularRegionWithCenter center: CLLocationCoordinate2D, radius: CLLocationDistance,
    identifier: String
  ) {
    (name, circle) = (identifier, Circle(center: center, radius: radius))
    super.init()
  }

  /// Reads a region from an archive that `encode(with:)` wrote.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") else {
      return nil
    }
    name = String(describing: identifier)
    circle = Circle(coder: coder)
    super.init()
    if coder.containsValue(forKey: "notifyOnEntry") {
      notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
    }
    if coder.containsValue(forKey: "notifyOnExit") {
      notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
    }
  }

  /// Writes the region into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(NSString(string: name), forKey: "identifier")
    coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(notifyOnExit, forKey: "notifyOnExit")
    circle?.encode(with: coder)
  }

  /// An independent copy with the same kind, identifier, extent and notification settings.
  open func copy(with zone: NSZone? = nil) -> Any {
    CLRegion(identifier: name, circle: circle).taking(noticesOf: self)
  }

  /// Equal to another region of the same identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLRegion)?.identifier == identifier
  }

  /// The hash of the identifier.
  open override var hash: Int { identifier.hashValue }

  /// The kind and identifier in a readable form, which may change.
  open override var description: String { "CLRegion (identifier:'\(identifier)')" }

  // MARK: Circles before CLCircularRegion

  /// The middle of a circle; `kCLLocationCoordinate2DInvalid` where the region is none.
  @available(*, deprecated, message: "Use CLCircularRegion")
  open var center: CLLocationCoordinate2D { extent?.center ?? kCLLocationCoordinate2DInvalid }

  /// The radius of a circle, metres; -1 where the region is none.
  @available(*, deprecated, message: "Use CLCircularRegion")
  open var radius: CLLocationDistance { extent?.radius ?? -1 }

  /// Whether the place lies in the circle.
  @available(*, deprecated, message: "Use CLCircularRegion")
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    extent?.contains(coordinate) ?? false
  }

  /// The circle; nil where the region is none.
  var extent: Circle? { circle }

  func taking(noticesOf other: CLRegion) -> Self {
    (notifyOnEntry, notifyOnExit) = (other.notifyOnEntry, other.notifyOnExit)
    return self
  }
}
