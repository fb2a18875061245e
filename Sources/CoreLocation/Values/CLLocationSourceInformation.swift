/// The source of a location.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let isSimulated: Bool
  private let isFromAccessory: Bool

  /// True where the location comes from a simulation or a recording.
  open var isSimulatedBySoftware: Bool { isSimulated }
  /// True where the location comes from a receiver on USB or on a serial line.
  open var isProducedByAccessory: Bool { isFromAccessory }

  /// True: it supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes the information of a receiver on the machine itself, for subclasses.
  public override init() {
    (isSimulated, isFromAccessory) = (false, false)
    super.init()
  }

  /// Makes the information from its two values.
  public init(softwareSimulationState: Bool, andExternalAccessoryState: Bool) {
    isSimulated = softwareSimulationState
    isFromAccessory = andExternalAccessoryState
    super.init()
  }

  /// Reads the information from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "simulated"), coder.containsValue(forKey: "accessory") else {
      return nil
    }
    isSimulated = coder.decodeBool(forKey: "simulated")
    isFromAccessory = coder.decodeBool(forKey: "accessory")
    super.init()
  }

  /// Writes the information into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(isSimulated, forKey: "simulated")
    coder.encode(isFromAccessory, forKey: "accessory")
  }

  /// Itself: the information never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
