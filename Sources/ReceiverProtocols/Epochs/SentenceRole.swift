/// What a sentence contributes to an epoch.
enum SentenceRole {
  /// A position, with the time where the receiver knows it.
  case fix
  /// Motion or time.
  case motion
  /// An estimate of errors, with the time of its fix.
  case estimate
  /// Wind, water or weather.
  case environment
  /// Additional data; a sentence of this role alone makes no epoch.
  case none

  /// Whether sentences of this role may have the time of a fix.
  var mayHaveTime: Bool { self != .environment && self != .none }
}
