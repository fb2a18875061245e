internal import Monitoring

extension CLMonitor {
  /// A condition has changed its state, or cannot be monitored.
  public struct Event: Sendable {
    /// The state of a condition.
    public typealias State = CLMonitoringState

    /// The name of the condition within the monitor.
    public let identifier: String
    /// The received beacon, for a beacon condition with open values; nil otherwise.
    public let refinement: (any CLCondition)?
    /// The new state.
    public let state: State
    /// The time of the change.
    public let date: Date

    private let obstacles: Obstacles

    /// The program has no authorization.
    public var authorizationDenied: Bool { obstacles.contains(.denied) }
    /// Location services are off for every program.
    public var authorizationDeniedGlobally: Bool { obstacles.contains(.deniedGlobally) }
    /// An administrator's rule forbids it.
    public var authorizationRestricted: Bool { obstacles.contains(.restricted) }
    /// The authorization was requested and is not determined yet.
    public var authorizationRequestInProgress: Bool { obstacles.contains(.requestInProgress) }
    /// Never: a program on Linux counts as in use while it runs.
    public var insufficientlyInUse: Bool { obstacles.contains(.insufficientlyInUse) }
    /// The program has reduced accuracy, which may be too coarse for the condition.
    public var accuracyLimited: Bool { obstacles.contains(.accuracyLimited) }
    /// The monitor does not support this kind of condition.
    public var conditionUnsupported: Bool { obstacles.contains(.conditionUnsupported) }
    /// The program has reached its limit of conditions.
    public var conditionLimitExceeded: Bool { obstacles.contains(.conditionLimitExceeded) }
    /// The condition cannot be stored across a restart.
    public var persistenceUnavailable: Bool { obstacles.contains(.persistenceUnavailable) }
    /// Never: a monitor requests the authorization itself where it is not determined.
    public var serviceSessionRequired: Bool { obstacles.contains(.serviceSessionRequired) }

    init(
      identifier: String, state: State, date: Date, refinement: (any CLCondition)? = nil,
      obstacles: Obstacles
    ) {
      (self.identifier, self.state, self.date) = (identifier, state, date)
      (self.refinement, self.obstacles) = (refinement, obstacles)
    }

    init(_ event: ConditionEvent, obstacles: Obstacles) {
      self.init(
        identifier: event.identifier, state: State(event.state), date: Date(event.time),
        refinement: event.refinement?.condition,
        obstacles: obstacles.union(event.fault.map(Obstacles.init) ?? []))
    }
  }

  /// A monitored condition with its last received event.
  public struct Record: Sendable {
    /// The condition.
    public let condition: any CLCondition
    /// The event that the program received last; before the first, one with the assumed state.
    public let lastEvent: Event
  }
}

extension Obstacles {
  /// The properties of an event that correspond to a fault of monitoring.
  init(_ fault: MonitoringFault) {
    switch fault {
    case .limitExceeded: self = .conditionLimitExceeded
    case .unsupportedRegion, .unsupportedCondition: self = .conditionUnsupported
    case .persistenceUnavailable: self = .persistenceUnavailable
    case .denied: self = .denied
    }
  }
}
