public import Quantities

/// Batches a manager's updates while it may: one use for each manager.
///
/// `allow` begins a deferral and is answered by exactly one finish, whatever ends it: the distance, the time,
/// a second `allow`, `disallow`, a stop, or a refusal. What was batched is handed over after the finish, oldest
/// first. A full batch is handed over by itself and the deferral goes on.
/// - Source: Apple, allowDeferredLocationUpdates(untilTraveled:timeout:), as it was until iOS 12.
public struct DeferredUpdates<Element: Sendable>: Sendable {
  /// Why a deferral ended without being complete.
  public enum Refusal: String, Sendable {
    /// The desired accuracy is neither best nor best for navigation.
    case accuracyTooLow
    /// A distance filter is set.
    case distanceFiltered
    /// Updates are not running.
    case notUpdating
    /// A second deferral, or the application, ended it.
    case canceled
  }

  /// What a manager is at the time of an `allow`.
  public struct Conditions: Sendable {
    /// Whether standard updates run.
    public var isUpdating: Bool
    /// Whether the desired accuracy is best or best for navigation.
    public var isBestAccuracy: Bool
    /// Whether a distance filter is set.
    public var hasDistanceFilter: Bool

    /// Makes conditions.
    public init(isUpdating: Bool, isBestAccuracy: Bool, hasDistanceFilter: Bool) {
      self.isUpdating = isUpdating
      self.isBestAccuracy = isBestAccuracy
      self.hasDistanceFilter = hasDistanceFilter
    }
  }

  /// What a manager does next, in order.
  public enum Action: Sendable {
    /// Tell these updates, oldest first.
    case deliver([Element])
    /// Tell that a deferral finished; nil: it came to its distance or time.
    case finish(Refusal?)
  }

  /// Updates that are batched at most: ten minutes of one a second.
  public static var capacity: Int { 600 }

  private var untilMetres = 0.0
  private var until: UTCTime?
  private var travelled = 0.0
  private var last: EarthPoint?
  private var batch: [Element] = []
  /// True from `allow` to its finish.
  public private(set) var isDeferring = false

  /// Makes a machine that hands every update on.
  public init() {}

  /// When time alone ends the deferral; nil where it does not.
  public var deadline: UTCTime? { isDeferring ? until : nil }

  /// Begins a deferral.
  /// - Parameters:
  ///   - metres: It ends once one has travelled so far; infinite or `CLLocationDistanceMax` for no end.
  ///   - seconds: It ends after so long; infinite or `CLTimeIntervalMax` for no end.
  ///   - conditions: What the manager is.
  ///   - time: Now.
  /// - Returns: What to do now.
  public mutating func allow(
    untilTraveled metres: Double, timeout seconds: Double, conditions: Conditions, at time: UTCTime
  ) -> [Action] {
    var actions = isDeferring ? end(.canceled) : []
    let refusal: Refusal? =
      if !conditions.isUpdating { .notUpdating } else if !conditions.isBestAccuracy {
        .accuracyTooLow
      } else if conditions.hasDistanceFilter { .distanceFiltered } else { nil }
    if let refusal {
      actions.append(.finish(refusal))
      return actions
    }
    isDeferring = true
    (untilMetres, travelled, last) = (metres, 0, nil)
    // Beyond the calendar's end there is no end.
    until = seconds < 1e9 ? time.advanced(bySeconds: max(0, seconds)) : nil
    return actions
  }

  /// Takes an update.
  /// - Parameters:
  ///   - element: The update.
  ///   - position: Where it is; nil where that is not known.
  ///   - time: Now.
  /// - Returns: What to do now.
  public mutating func process(
    _ element: Element, at position: GeodeticPosition?, time: UTCTime
  ) -> [Action] {
    guard isDeferring else { return [.deliver([element])] }
    batch.append(element)
    if let position {
      let point = EarthPoint(position)
      travelled += last.map { $0.distance(to: point) } ?? 0
      last = point
    }
    if travelled >= untilMetres { return end(nil) }
    let actions = advance(to: time)
    guard actions.isEmpty, batch.count >= Self.capacity else { return actions }
    defer { batch = [] }
    return [.deliver(batch)]
  }

  /// Lets time pass.
  public mutating func advance(to time: UTCTime) -> [Action] {
    guard let deadline, deadline <= time else { return [] }
    return end(nil)
  }

  /// Ends the deferral because the application says so.
  public mutating func disallow() -> [Action] { isDeferring ? end(.canceled) : [] }

  /// Ends the deferral because updates stop.
  public mutating func stop() -> [Action] { isDeferring ? end(.canceled) : [] }

  private mutating func end(_ reason: Refusal?) -> [Action] {
    defer { (batch, isDeferring, until, last) = ([], false, nil, nil) }
    let finish = Action.finish(reason)
    return batch.isEmpty ? [finish] : [finish, .deliver(batch)]
  }
}
