/// The rule by which one of several sources is used: of positions (`PositionChoice`) and of headings.
///
/// A source is better by its rank (the order or the priorities of the board file), else where its
/// accuracy is smaller by a third. The used one stays until another was better for ten seconds, or
/// until it is lost; in the first three seconds a better one replaces it at once.
package enum SourceRule {
  /// Durations, s, and the part of the other's accuracy below which a source is better.
  package static let (beginning, betterFor) = (3.0, 10.0)
  private static let lessError = 0.67

  /// How a source compares with the used one.
  package enum Order: Sendable {
    case better, notPreferred, lessAccurate
    /// The ranks are equal, and the accuracies alike or both unknown.
    case alike
  }

  /// Compares a source with the used one.
  /// - Parameters:
  ///   - rank: Its preference, the lowest number first.
  ///   - accuracy: In the unit of the used one's; nil where it is not known, which is worse than any.
  ///   - used: Rank and accuracy of the used one.
  /// - Returns: Why it is better or worse.
  package static func order(
    rank: Int, accuracy: Double?, than used: (rank: Int, accuracy: Double?)
  ) -> Order {
    guard rank == used.rank else { return rank < used.rank ? .better : .notPreferred }
    switch (accuracy, used.accuracy) {
    case (let own?, let other?):
      return own < lessError * other ? .better : other < lessError * own ? .lessAccurate : .alike
    case (_?, nil): return .better
    case (nil, _?): return .lessAccurate
    case (nil, nil): return .alike
    }
  }

  /// Whether a source replaces the used one.
  /// - Parameters:
  ///   - seconds: How long it has been better without interruption; nil where it is not better.
  ///   - isLost: Whether the used one is silent.
  ///   - isBeginning: Whether the used one is so new that its choice was of chance.
  /// - Returns: True where it is used from now on.
  package static func replaces(
    betterFor seconds: Double?, isLost: Bool, isBeginning: Bool
  ) -> Bool {
    isLost || seconds.map { isBeginning || $0 >= betterFor } ?? false
  }
}
