/// Why the positions of a source are not trusted.
public enum PositionFault: String, CaseIterable, Sendable {
  /// One instant is reported again and again.
  case clockStands = "frozen: its time stands still"
  /// The position stays the same to the last digit while the source moves.
  case positionStands = "frozen: its position stands still while it moves"
  /// Its time went back several times.
  case clockGoesBack = "its time goes back again and again"
  /// Its position moved several times by more than its speed and its stated accuracy permit.
  case positionJumps = "its position jumps farther than its speed and accuracy permit"

  /// Whether its positions are old ones.
  public var isFrozen: Bool { self == .clockStands || self == .positionStands }
}
