/// The style of a formatted postal address.
public enum CNPostalAddressFormatterStyle: Int, Sendable {
  /// The form of an envelope.
  case mailingAddress = 0
}

/// Formats a postal address in lines.
///
/// The form is the same for all countries: street, city with state and postal code, country.
/// Apple's formatter has a form for each country.
open class CNPostalAddressFormatter: Formatter {
  /// The style.
  open var style = CNPostalAddressFormatterStyle.mailingAddress

  /// The address in lines.
  open class func string(
    from postalAddress: CNPostalAddress, style: CNPostalAddressFormatterStyle
  ) -> String {
    let town = [postalAddress.city, postalAddress.state].filter { !$0.isEmpty }
      .joined(separator: ", ")
    let townLine = [town, postalAddress.postalCode].filter { !$0.isEmpty }.joined(separator: " ")
    return [postalAddress.street, townLine, postalAddress.country].filter { !$0.isEmpty }
      .joined(separator: "\n")
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
