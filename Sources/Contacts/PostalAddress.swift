// iOS sources that import only Contacts use the modules that it exports.
@_exported import CoreLocation
internal import Synchronization

/// The key of a postal address' street.
public let CNPostalAddressStreetKey = "street"
/// The key of its section of the city.
public let CNPostalAddressSubLocalityKey = "subLocality"
/// The key of its city.
public let CNPostalAddressCityKey = "city"
/// The key of its county.
public let CNPostalAddressSubAdministrativeAreaKey = "subAdministrativeArea"
/// The key of its state.
public let CNPostalAddressStateKey = "state"
/// The key of its postal code.
public let CNPostalAddressPostalCodeKey = "postalCode"
/// The key of its country.
public let CNPostalAddressCountryKey = "country"
/// The key of its country's code.
public let CNPostalAddressISOCountryCodeKey = "ISOCountryCode"

/// An immutable postal address; unknown parts are empty.
open class CNPostalAddress: NSObject, NSCopying, NSMutableCopying, NSSecureCoding,
  @unchecked Sendable
{
  // Unchecked: the only stored property is guarded, because a mutable address inherits the
  // conformance.
  /// By key. Only a mutable address changes it.
  private let guarded = Mutex<[String: String]>([:])

  fileprivate var parts: [String: String] { guarded.withLock { $0 } }

  fileprivate func set(_ key: String, _ text: String) { guarded.withLock { $0[key] = text } }

  /// House number and street, in lines.
  open var street: String { parts[CNPostalAddressStreetKey] ?? "" }
  /// A section of the city.
  open var subLocality: String { parts[CNPostalAddressSubLocalityKey] ?? "" }
  /// The city.
  open var city: String { parts[CNPostalAddressCityKey] ?? "" }
  /// The county.
  open var subAdministrativeArea: String { parts[CNPostalAddressSubAdministrativeAreaKey] ?? "" }
  /// The state or province.
  open var state: String { parts[CNPostalAddressStateKey] ?? "" }
  /// The postal code.
  open var postalCode: String { parts[CNPostalAddressPostalCodeKey] ?? "" }
  /// The country.
  open var country: String { parts[CNPostalAddressCountryKey] ?? "" }
  /// ISO 3166-1 alpha-2.
  open var isoCountryCode: String { parts[CNPostalAddressISOCountryCodeKey] ?? "" }

  /// True: the class supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// The key itself: there are no translations.
  open class func localizedString(forKey key: String) -> String { key }

  /// Makes an empty address.
  public override init() { super.init() }

  /// Reads an address from an archive.
  public required init?(coder: NSCoder) {
    super.init()
    for key in Self.keys where coder.containsValue(forKey: key) {
      if let text = coder.decodeObject(of: NSString.self, forKey: key) { set(key, text as String) }
    }
  }

  /// Writes the address into an archive.
  open func encode(with coder: NSCoder) {
    for (key, text) in parts { coder.encode(text as NSString, forKey: key) }
  }

  /// An immutable copy.
  open func copy(with zone: NSZone? = nil) -> Any { filled(CNPostalAddress()) }

  /// A mutable copy.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { filled(CNMutablePostalAddress()) }

  /// Equal where all parts are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CNPostalAddress)?.parts.filter { !$0.value.isEmpty }
      == parts.filter { !$0.value.isEmpty }
  }

  /// Equal for equal addresses.
  open override var hash: Int { parts.filter { !$0.value.isEmpty }.hashValue }

  private func filled<Address: CNPostalAddress>(_ address: Address) -> Address {
    for (key, text) in parts { address.set(key, text) }
    return address
  }

  private static let keys = [
    CNPostalAddressStreetKey, CNPostalAddressSubLocalityKey, CNPostalAddressCityKey,
    CNPostalAddressSubAdministrativeAreaKey, CNPostalAddressStateKey,
    CNPostalAddressPostalCodeKey, CNPostalAddressCountryKey, CNPostalAddressISOCountryCodeKey,
  ]
}

/// A mutable postal address. Each property may be read and changed on any thread.
open class CNMutablePostalAddress: CNPostalAddress, @unchecked Sendable {
  /// House number and street, in lines.
  open override var street: String {
    get { super.street }
    set { set(CNPostalAddressStreetKey, newValue) }
  }
  /// A section of the city.
  open override var subLocality: String {
    get { super.subLocality }
    set { set(CNPostalAddressSubLocalityKey, newValue) }
  }
  /// The city.
  open override var city: String {
    get { super.city }
    set { set(CNPostalAddressCityKey, newValue) }
  }
  /// The county.
  open override var subAdministrativeArea: String {
    get { super.subAdministrativeArea }
    set { set(CNPostalAddressSubAdministrativeAreaKey, newValue) }
  }
  /// The state or province.
  open override var state: String {
    get { super.state }
    set { set(CNPostalAddressStateKey, newValue) }
  }
  /// The postal code.
  open override var postalCode: String {
    get { super.postalCode }
    set { set(CNPostalAddressPostalCodeKey, newValue) }
  }
  /// The country.
  open override var country: String {
    get { super.country }
    set { set(CNPostalAddressCountryKey, newValue) }
  }
  /// ISO 3166-1 alpha-2.
  open override var isoCountryCode: String {
    get { super.isoCountryCode }
    set { set(CNPostalAddressISOCountryCodeKey, newValue) }
  }
}
