import Servers
import Terminal

/// The one-time link to the web page as lines of a terminal.
struct InvitationText {
  private let link: PageLink

  init(_ link: PageLink) { self.link = link }

  /// The link, with a QR code, and the links by other addresses.
  func lines(isQR: Bool) -> [String] {
    var lines = Array(link.links.prefix(1))
    if isQR, let first = link.links.first {
      do throws(QRCodeError) {
        let terminal = TerminalCapability.current
        // Half blocks are needed.
        if terminal.glyphs != .ascii {
          lines += try QRCode(first).lines(hasColours: terminal.depth != .none)
        }
      } catch {
        StandardError.say("\(error)")
      }
    }
    if link.links.count > 1 { lines += ["or, in another network of this machine:"] }
    return lines + link.links.dropFirst()
  }

  /// What to do with it.
  static func advice(_ link: PageLink) -> String {
    "open this link within 10 minutes, or scan its QR code; it works once, for one browser"
      + (link.isLocal
        ? "\nthe page is served to this machine alone: for a phone set http-address to 0.0.0.0 in the daemon's file"
        : "")
  }
}
