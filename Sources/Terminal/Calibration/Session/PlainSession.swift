import CalibrationFit
import Quantities

/// A calibration without a terminal: reports its progress and saves when it is complete. There are
/// no keys, so it ends when it is done or its samples end.
public struct PlainSession<Source: CalibrationSource> {
  /// The format of the progress.
  public enum Format: Equatable, Sendable {
    /// Columns of text.
    case text
    /// One JSON object.
    case json
  }

  /// The source of the samples.
  public private(set) var source: Source
  private let text: CalibrationSessionText
  private let format: Format
  private let line: CalibrationPlainLine

  /// Makes a session.
  public init(
    source: Source, text: CalibrationSessionText, format: Format, isASCII: Bool = false
  ) {
    self.source = source
    self.text = text
    self.format = format
    line = CalibrationPlainLine(isASCII: isASCII)
  }

  /// The line for the current progress, without a line end.
  public func report() -> [UInt8] {
    var text = text
    text.findings = source.findings()
    text.end = source.end()
    return switch format {
    case .text: Array(line.line(source.progress(), text: text).utf8)
    case .json: CalibrationProgressJSON.object(source.progress(), at: source.time, text: text)
    }
  }

  /// True if the session is complete.
  public var isOver: Bool { source.progress().advice == .done || source.end() != nil }

  /// Reports the progress until the session is complete, then saves.
  /// - Parameters:
  ///   - wait: Waits until the next line is due, usually one second; false ends the session without
  ///     saving.
  ///   - send: Receives each line.
  /// - Returns: The line with what was saved; nil if nothing was.
  /// - Throws: Why it was not saved.
  public mutating func run(wait: () -> Bool, tell send: ([UInt8]) -> Void) throws(Source.Failure)
    -> String?
  {
    while true {
      send(report())
      if isOver { break }
      guard wait() else { return nil }
    }
    guard ErrorClass(source.progress().quality) != .unknown else { return nil }
    return try source.finish()
  }
}
