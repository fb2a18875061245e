import Quantities

/// The limits of what one application may store. They bound the memory of the host, the size of a
/// write, and the time that one application's command delays those of others.
public struct MonitoringBudget: Codable, Equatable, Sendable {
  /// The longest identifier and the longest name of a monitor, bytes of UTF-8.
  public var nameBytes = 512
  /// The most monitors, with and without conditions.
  public var monitors = 64
  /// The most corners of a condition's polygon.
  public var corners = 4096
  /// The most corners of a region's polygon: each of the region's events contains them.
  public var regionCorners = 512
  /// The stored bytes of all registrations, as `storedBytes` estimates them.
  public var registeredBytes = 512 << 10
  /// The stored bytes of all pending events, and again of all requests for states.
  public var pendingBytes = 256 << 10

  /// The defaults.
  public init() {}

  /// A command that exceeds the budget.
  public enum Excess: Error, Equatable, Sendable, CustomStringConvertible {
    /// A name is too long.
    case name(bytes: Int, limit: Int)
    /// Too many monitors.
    case monitors(limit: Int)
    /// Too many corners.
    case corners(Int, limit: Int)
    /// The registrations are too large together.
    case registrations(bytes: Int, limit: Int)

    /// True where the same command will always exceed the budget.
    public var isLasting: Bool {
      switch self {
      case .name, .corners: true
      case .monitors, .registrations: false
      }
    }

    /// What is exceeded, and the remedy.
    public var description: String {
      switch self {
      case .name(let bytes, let limit):
        "a name of \(bytes) bytes; the limit is \(limit): use a shorter one"
      case .monitors(let limit):
        "more than \(limit) monitors; remove the conditions of one and close it"
      case .corners(let count, let limit):
        "a polygon of \(count) corners; the limit is \(limit): use fewer corners"
      case .registrations(let bytes, let limit):
        "\(bytes) bytes of regions and conditions; the limit is \(limit): use fewer corners, or stop a "
          + "region"
      }
    }
  }
}

extension ApplicationMonitor {
  /// Why a command exceeds the budget; nil where it does not. The host refuses such a command,
  /// which then changes nothing.
  public func excess(of command: MonitoringCommand) -> MonitoringBudget.Excess? {
    let budget = configuration.budget
    for name in command.names where name.utf8.count > budget.nameBytes {
      return .name(bytes: name.utf8.count, limit: budget.nameBytes)
    }
    let corners = command.isOfRegion ? budget.regionCorners : budget.corners
    if case .polygon(let vertices) = command.condition, vertices.count > corners {
      return .corners(vertices.count, limit: corners)
    }
    if let monitor = command.opened, registrations.monitors[monitor] == nil,
      registrations.monitors.count >= budget.monitors
    {
      return .monitors(limit: budget.monitors)
    }
    let more = command.registeredBytes - replacedBytes(by: command)
    let stored = registrations.storedBytes + more
    guard more <= 0 || stored <= budget.registeredBytes else {
      return .registrations(bytes: stored, limit: budget.registeredBytes)
    }
    return nil
  }

  /// The bytes of the registrations, pending events and requests, as estimated.
  public var storedBytes: Int { registrations.storedBytes + pendingBytes + requestBytes }

  var pendingBytes: Int { pending.reduce(0) { $0 + $1.storedBytes } }
  var requestBytes: Int { requests.reduce(0) { $0 + $1.region.storedBytes } }

  private func replacedBytes(by command: MonitoringCommand) -> Int {
    switch command {
    case .startRegion(let region): registrations.regions[region.identifier]?.storedBytes ?? 0
    case .addCondition(let monitor, let identifier, _, _):
      registrations.monitors[monitor]?[identifier]?.storedBytes ?? 0
    default: 0
    }
  }
}

extension MonitoringCommand {
  fileprivate var names: [String] {
    switch self {
    case .startRegion(let region), .requestState(let region): [region.identifier]
    case .stopRegion(let identifier): [identifier]
    case .openMonitor(let name), .closeMonitor(let name): [name]
    case .addCondition(let monitor, let identifier, _, _),
      .removeCondition(let monitor, let identifier):
      [monitor, identifier]
    case .startVisits, .stopVisits, .startSignificantChanges, .stopSignificantChanges, .acknowledge:
      []
    }
  }

  fileprivate var condition: MonitoredCondition? {
    switch self {
    case .startRegion(let region), .requestState(let region): region.condition
    case .addCondition(_, _, let condition, _): condition
    default: nil
    }
  }

  fileprivate var isOfRegion: Bool {
    switch self {
    case .startRegion, .requestState: true
    default: false
    }
  }

  /// The monitor that the command makes where it is missing.
  fileprivate var opened: String? {
    switch self {
    case .openMonitor(let name): name
    case .addCondition(let monitor, _, _, _): monitor
    default: nil
    }
  }

  fileprivate var registeredBytes: Int {
    switch self {
    case .startRegion(let region): region.storedBytes
    case .addCondition(let monitor, let identifier, let condition, let state):
      ConditionRecord(
        condition: condition,
        lastEvent: ConditionEvent(
          monitor: monitor, identifier: identifier, state: state,
          time: UTCTime(nanosecondsSince1970: 0))
      ).storedBytes
    default: 0
    }
  }
}

// The bytes of the values in the journal, estimated.
extension MonitoredCondition {
  fileprivate var storedBytes: Int {
    switch self {
    case .circle: 160
    case .polygon(let vertices): 40 + 80 * vertices.count
    case .beacon(let pattern): 80 + pattern.uuid.utf8.count
    }
  }
}

extension MonitoredRegion {
  fileprivate var storedBytes: Int { 120 + identifier.utf8.count + condition.storedBytes }
}

extension ConditionEvent {
  fileprivate var storedBytes: Int {
    160 + monitor.utf8.count + identifier.utf8.count + (refinement?.storedBytes ?? 0)
  }
}

extension ConditionRecord {
  fileprivate var storedBytes: Int { 40 + condition.storedBytes + lastEvent.storedBytes }
}

extension MonitoringRegistrations {
  fileprivate var storedBytes: Int {
    regions.values.reduce(0) { $0 + $1.storedBytes }
      + monitors.reduce(0) { sum, monitor in
        sum + 8 + monitor.key.utf8.count + monitor.value.values.reduce(0) { $0 + $1.storedBytes }
      }
  }
}

extension MonitoringEvent {
  fileprivate var storedBytes: Int {
    let ofKind =
      switch kind {
      case .regionStarted(let region), .regionState(let region, _), .entered(let region),
        .exited(let region):
        region.storedBytes
      case .regionFailed(let region, _): region?.storedBytes ?? 0
      case .visit, .significantChange: 320
      case .condition(let event): event.storedBytes
      }
    return 120 + (fix == nil ? 0 : 200) + ofKind
  }
}
