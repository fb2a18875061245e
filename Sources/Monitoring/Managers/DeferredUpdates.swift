public import Quantities

/// Batches the updates of one manager during a deferral.
///
/// Each `allow` is answered by exactly one finish: at the distance, the time, a second `allow`,
/// `disallow`, a stop, or a refusal. The batch is delivered after the finish, oldest first. A full
/// batch is delivered at once and the deferral continues.
/// - Source: Apple, allowDeferredLocationUpdates(untilTraveled:timeout:), as it was until iOS 12.
public struct DeferredUpdates<Element: Sendable>: Sendable {
  /// The reason why a deferral ended before it was complete.
  public enum Refusal: String, Sendable {
    /// The desired accuracy is neither best nor best for navigation.
    case accuracyTooLow
    /// A distance filter is set.
    case distanceFiltered
    /// Updates are not running.
    case notUpdating
    /// A second deferral, the application or a stop ended it.
    case canceled
  }

  /// The manager's state at the time of an `allow`.
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

  /// What the manager has to do next, in order.
  public enum Action: Sendable {
    /// Deliver these updates, oldest first.
    case deliver([Element])
    /// Report that a deferral finished; nil: at its distance or time.
    case finish(Refusal?)
  }

  /// The most batched updates: ten minutes at one a second.
  public static var capacity: Int { 600 }

  private var untilMetres = 0.0
  private var until: UTCTime?
  private var travelled = 0.0
  private var last: EarthPoint?
  private var batch: [Element] = []
  /// True from `allow` to its finish.
  public private(set) var isDeferring = false

  /// Makes a machine without a deferral: it delivers every update at once.
  public init() {}

  /// The time at which the deferral ends; nil if there is none.
  public var deadline: UTCTime? { isDeferring ? until : nil }

  /// Begins a deferral.
  /// - Parameters:
  ///   - metres: The travelled distance that ends it; infinite or `CLLocationDistanceMax` for none.
  ///   - seconds: The time that ends it; infinite or `CLTimeIntervalMax` for none.
  ///   - conditions: The manager's state.
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
    // A longer time is no limit, and would overflow the calendar.
    until = seconds < 1e9 ? time.advanced(bySeconds: max(0, seconds)) : nil
    return actions
  }

  /// Processes an update.
  /// - Parameters:
  ///   - element: The update.
  ///   - position: Its position; nil where not known.
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

  /// Ends the deferral where its time is over.
  public mutating func advance(to time: UTCTime) -> [Action] {
    guard let deadline, deadline <= time else { return [] }
    return end(nil)
  }

  /// Ends the deferral on the application's request.
  public mutating func disallow() -> [Action] { isDeferring ? end(.canceled) : [] }

  /// Ends the deferral because updates stop.
  public mutating func stop() -> [Action] { isDeferring ? end(.canceled) : [] }

  private mutating func end(_ reason: Refusal?) -> [Action] {
    defer { (batch, isDeferring, until, last) = ([], false, nil, nil) }
    let finish = Action.finish(reason)
    return batch.isEmpty ? [finish] : [finish, .deliver(batch)]
  }
}
