import Quantities

/// Which sensors a program asked for.
public enum SourceChoice: Equatable, Sendable {
  /// The simulated board; everything that it gives is labelled SIMULATED.
  case simulation
  /// A recording, played at its own pace.
  case replay(path: String)
  /// The board that is attached.
  case attached

  /// What the environment variable `LODESTAR_SOURCE` asks for: `simulate`, `replay:FILE`, or nothing
  /// for the attached board. It lets an unchanged application run on a desk.
  public init(environment value: String?) throws(SourceError) {
    switch value {
    case nil, "": self = .attached
    case "simulate": self = .simulation
    case .some(let text) where text.hasPrefix("replay:"):
      self = .replay(path: String(text.dropFirst("replay:".count)))
    case .some(let text): throw .unknownChoice(text)
    }
  }

  /// Opens the source and starts it.
  /// - Throws: `SourceError` that says what is missing and what to do.
  public func open() throws(SourceError) -> any EstimatePublisher {
    throw .noSensors(searched: [])
  }
}

/// Why no estimate can be had.
public enum SourceError: Error, Equatable, Sendable {
  /// `LODESTAR_SOURCE` holds something else than `simulate` or `replay:FILE`.
  case unknownChoice(String)
  /// Nothing is attached that this version can read.
  case noSensors(searched: [String])
  /// The recording cannot be read.
  case recording(String)
}
