/// How a postal address is written.
public enum CNPostalAddressFormatterStyle: Int, Sendable {
  /// As on an envelope.
  case mailingAddress = 0
}

/// Writes a postal address in lines.
///
/// One form for all countries: street, city with state and postal code, country. Apple's follows each
/// country's custom.
open class CNPostalAddressFormatter: Formatter {
  /// How it is written.
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

  /// The address in lines; nil for anything else.
  open override func string(for obj: Any?) -> String? {
    (obj as? CNPostalAddress).map(string(from:))
  }
}
