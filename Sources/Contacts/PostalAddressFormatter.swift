/// The style of a formatted postal address.
public enum CNPostalAddressFormatterStyle: Int, Sendable {
  /// The form of an envelope.
  case mailingAddress = 0
}

/// Formats a postal address in lines, in the form of its country (`isoCountryCode`, else the region
/// of the current locale).
open class CNPostalAddressFormatter: Formatter {
  /// The style.
  open var style = CNPostalAddressFormatterStyle.mailingAddress

  /// The address in lines.
  open class func string(
    from postalAddress: CNPostalAddress, style: CNPostalAddressFormatterStyle
  ) -> String {
    var parts = AddressFormat.Parts()
    (parts.street, parts.subLocality) = (postalAddress.street, postalAddress.subLocality)
    (parts.city, parts.state) = (postalAddress.city, postalAddress.state)
    (parts.postalCode, parts.country) = (postalAddress.postalCode, postalAddress.country)
    return AddressFormat(of: postalAddress.isoCountryCode).lines(of: parts).joined(separator: "\n")
  }

  /// The address in lines.
  open func string(from postalAddress: CNPostalAddress) -> String {
    Self.string(from: postalAddress, style: style)
  }

  /// The address in lines; nil for any other object.
  open override func string(for obj: Any?) -> String? {
    (obj as? CNPostalAddress).map(string(from:))
  }
}
