import Servers
import Terminal

/// The one-time link to the web page, in words and as a QR code.
struct InvitationText {
  private let link: PageLink

  init(_ link: PageLink) { self.link = link }

  /// What the link does, with the link.
  var sentence: String {
    "this link gives it to one browser within 10 minutes: \(link.links.joined(separator: " or "))"
      + "\(link.isLocal ? " (\(Self.local))" : ""); later: lodestar token"
  }

  /// What to do with the link.
  var advice: String {
    "open the link within 10 minutes, or scan its QR code; it works once, for one browser"
      + (link.isLocal ? "\n\(Self.local)" : "")
  }

  /// The links, by the most likely address first.
  var links: [String] { link.links }

  /// The lines of the first link's QR code for a stream; none where the terminal has no half
  /// blocks, or the library is missing.
  func code(for stream: StandardStream) -> [String] {
    guard let first = link.links.first, TerminalCapability.current.glyphs != .ascii else {
      return []
    }
    do throws(QRCodeError) {
      return try QRCode(first).lines(hasColours: stream.depth != .none)
    } catch {
      StandardError.say("\(error)")
      return []
    }
  }

  private static let local =
    "only this machine reaches the page: for a phone set 'http-address: 0.0.0.0' in the daemon's file, and install the "
    + "unit's drop-in network.conf"
}
