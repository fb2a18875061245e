import CQRCode

/// A QR code for a terminal, by libqrencode.
public struct QRCode: Sendable {
  /// Dark modules of each row.
  public let rows: [[Bool]]

  /// The library's file in Debian's package libqrencode4.
  public static let library = "libqrencode.so.4"
  /// The greatest width, modules: version 10, too wide for a terminal of 80 columns beyond it.
  private static let mostModules = 57
  /// The light margin on each side, modules.
  /// - Source: ISO/IEC 18004, 9.1.
  private static let margin = 4

  /// Encodes a text.
  /// - Throws: `QRCodeError` without the library, or for a text that is too long.
  public init(_ text: String, library: String = QRCode.library) throws(QRCodeError) {
    var modules = [UInt8](repeating: 0, count: Self.mostModules * Self.mostModules)
    var width: Int32 = 0
    let outcome = cqrcode_encode(library, text, &modules, Int32(modules.count), &width)
    switch outcome {
    case CQRCODE_DONE: break
    case CQRCODE_NO_LIBRARY: throw .noLibrary(library)
    default: throw .tooLong
    }
    let count = Int(width)
    rows = (0..<count).map { row in (0..<count).map { modules[row * count + $0] != 0 } }
  }

  /// The lines for a terminal, two rows of modules in each by half blocks. Light modules are
  /// printed: with colours white on black, else in the terminal's own, whose background should be
  /// dark.
  public func lines(hasColours: Bool) -> [String] {
    let width = rows.count + 2 * Self.margin
    func isLight(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - Self.margin, column - Self.margin)
      guard rows.indices.contains(row), rows.indices.contains(column) else {
        return row < rows.count + Self.margin
      }
      return !rows[row][column]
    }
    return stride(from: 0, to: width, by: 2).map { row in
      let blocks = (0..<width).map { column in
        switch (isLight(row, column), isLight(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
      return hasColours ? "\u{1B}[1;37;40m\(blocks)\u{1B}[0m" : blocks
    }
  }
}

/// Why there is no QR code.
public enum QRCodeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The library is not installed.
  case noLibrary(String)
  /// The text does not fit.
  case tooLong

  /// One line for the user.
  public var description: String {
    switch self {
    case .noLibrary(let name):
      "no QR code: \(name) cannot be loaded; install Debian's package libqrencode4"
    case .tooLong: "no QR code: the text is too long for one"
    }
  }
}
