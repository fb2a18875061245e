/// Where a location came from.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let isSimulated: Bool
  private let isFromAccessory: Bool

  /// True where the location was made by a simulation or played from a recording.
  open var isSimulatedBySoftware: Bool { isSimulated }
  /// True where a receiver on USB or on a serial line gave the location.
  open var isProducedByAccessory: Bool { isFromAccessory }

  /// True: it can be read from an archive of which only the class is trusted.
  open class var supportsSecureCoding: Bool { true }

  /// Makes the information of a receiver on the machine itself, for subclasses.
  public override init() {
    (isSimulated, isFromAccessory) = (false, false)
    super.init()
  }

  /// Makes the information of its two facts.
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
