internal import Monitoring

extension CLMonitor {
  /// A condition has come to a state, or something stands in the way of watching it.
  public struct Event: Sendable {
    /// How a condition stands.
    public typealias State = CLMonitoringState

    /// Names the condition within the monitor.
    public let identifier: String
    /// What the condition turned out to be: the beacon that was heard, of a condition that leaves
    /// values open; nil otherwise.
    public let refinement: (any CLCondition)?
    /// The state that it came to.
    public let state: State
    /// When it came to it.
    public let date: Date

    private let obstacles: Obstacles

    /// The program may not.
    public var authorizationDenied: Bool { obstacles.contains(.denied) }
    /// No program may: location services are off.
    public var authorizationDeniedGlobally: Bool { obstacles.contains(.deniedGlobally) }
    /// An administrator's rule forbids it.
    public var authorizationRestricted: Bool { obstacles.contains(.restricted) }
    /// The authorization was asked for, and nobody has answered yet.
    public var authorizationRequestInProgress: Bool { obstacles.contains(.requestInProgress) }
    /// Never: a program on Linux counts as in use while it runs.
    public var insufficientlyInUse: Bool { obstacles.contains(.insufficientlyInUse) }
    /// The program may know the area only, which a condition may be too small for.
    public var accuracyLimited: Bool { obstacles.contains(.accuracyLimited) }
    /// The monitor cannot watch a condition of this kind.
    public var conditionUnsupported: Bool { obstacles.contains(.conditionUnsupported) }
    /// The program watches as many conditions as it may.
    public var conditionLimitExceeded: Bool { obstacles.contains(.conditionLimitExceeded) }
    /// The condition is not kept over a restart.
    public var persistenceUnavailable: Bool { obstacles.contains(.persistenceUnavailable) }
    /// Never: a monitor asks for the authorization itself where nobody has decided.
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

  /// A condition that is watched, with what the program was told of it last.
  public struct Record: Sendable {
    /// What has to hold.
    public let condition: any CLCondition
    /// The event that the program was told last; before the first, the state that was assumed.
    public let lastEvent: Event
  }
}

extension Obstacles {
  /// What a fault of monitoring means to the program.
  init(_ fault: MonitoringFault) {
    switch fault {
    case .limitExceeded: self = .conditionLimitExceeded
    case .unsupportedRegion, .unsupportedCondition: self = .conditionUnsupported
    case .persistenceUnavailable: self = .persistenceUnavailable
    case .denied: self = .denied
    }
  }
}
