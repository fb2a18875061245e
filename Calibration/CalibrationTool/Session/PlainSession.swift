import CalibrationFit
import Quantities

/// A calibration without a terminal: tells its progress and saves by itself once nothing more is to be had.
/// There are no keys, so it ends when it is done or its samples do.
public struct PlainSession<Source: CalibrationSource> {
  /// How the progress is written.
  public enum Format: Equatable, Sendable {
    /// Columns for people.
    case text
    /// One JSON object.
    case json
  }

  /// Where the samples come from.
  public private(set) var source: Source
  private let text: CalibrationSessionText
  private let format: Format
  private let line: CalibrationPlainLine

  /// Makes a session that has not begun.
  public init(
    source: Source, text: CalibrationSessionText, format: Format, isASCII: Bool = false
  ) {
    self.source = source
    self.text = text
    self.format = format
    line = CalibrationPlainLine(isASCII: isASCII)
  }

  /// The line about now, without its end.
  public func report() -> [UInt8] {
    var text = text
    text.findings = source.findings()
    text.end = source.end()
    return switch format {
    case .text: Array(line.line(source.progress(), text: text).utf8)
    case .json: CalibrationProgressJSON.object(source.progress(), text: text)
    }
  }

  /// True once there is nothing to wait for.
  public var isOver: Bool { source.progress().advice == .done || source.end() != nil }

  /// Tells the progress until it is over, then saves.
  /// - Parameters:
  ///   - wait: Waits until the next line is due, a second as a rule; false ends the session unsaved.
  ///   - tell: Takes a line.
  /// - Returns: The line about what was saved; nil where nothing was.
  /// - Throws: Why it could not be saved.
  public mutating func run(wait: () -> Bool, tell: ([UInt8]) -> Void) throws(Source.Failure)
    -> String?
  {
    while true {
      tell(report())
      if isOver { break }
      guard wait() else { return nil }
    }
    guard ErrorClass(source.progress().quality) != .unknown else { return nil }
    return try source.finish()
  }
}
