/// The port of a receiver or compass in a board file: a device of this machine, or an address.
package enum SourceAddress {
  /// The forms of addresses, for messages.
  package static var form: String {
    "\(SentenceFeed.form), \(GPSDAddress.form), \(SignalKAddress.form), or \(CANAddress.form)"
  }

  /// The form that a port should have; nil for a valid address, and for a text that is none: the
  /// path of a device.
  package static func expectedForm(of port: String) -> String? {
    if port.hasPrefix(GPSDAddress.scheme) {
      return GPSDAddress(port) == nil ? GPSDAddress.form : nil
    }
    if SignalKAddress.isNamed(by: port) {
      return SignalKAddress(port) == nil ? SignalKAddress.form : nil
    }
    if port.hasPrefix(CANAddress.scheme) { return CANAddress(port) == nil ? CANAddress.form : nil }
    return SentenceFeed.isNamed(by: port) && SentenceFeed(port) == nil ? SentenceFeed.form : nil
  }

  /// Why a text is no address; nil for one.
  package static func fault(_ text: String) -> String? {
    let isAddress =
      text.hasPrefix(GPSDAddress.scheme) || SignalKAddress.isNamed(by: text)
      || SentenceFeed.isNamed(by: text) || text.hasPrefix(CANAddress.scheme)
    let expected = isAddress ? expectedForm(of: text) : form
    return expected.map { "'\(text)' is no address; expected \($0)" }
  }
}
