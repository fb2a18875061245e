import FoundationEssentials
import Monitoring

extension ClientMessage {
  private struct Purpose: Codable {
    var purpose: String
  }

  /// The message as a line without its end.
  public var line: [UInt8] {
    switch self {
    case .hello(let hello): MessageLine.encoded("hello", id: nil, hello)
    case .look(let id): MessageLine.encoded("look", id: id, Bool?.none)
    case .demand(let demand): MessageLine.encoded("demand", id: nil, demand)
    case .samples(let isOn): MessageLine.encoded("samples", id: nil, isOn)
    case .receiver(let isOn): MessageLine.encoded("receiver", id: nil, isOn)
    case .calibrate(let id, let order): MessageLine.encoded("calibrate", id: id, order)
    case .profiles(let id, let order): MessageLine.encoded("profiles", id: id, order)
    case .monitor(let id, let command): MessageLine.encoded("monitor", id: id, command)
    case .listen(let isOn): MessageLine.encoded("listen", id: nil, isOn)
    case .registrations(let id): MessageLine.encoded("registrations", id: id, Bool?.none)
    case .authorize(let wanted): MessageLine.encoded("authorize", id: nil, wanted)
    case .fullAccuracy(let id, let purpose):
      MessageLine.encoded("fullAccuracy", id: id, Purpose(purpose: purpose))
    case .lease(let isOn): MessageLine.encoded("lease", id: nil, isOn)
    case .unknown(let type): MessageLine.encoded(type, id: nil, Bool?.none)
    }
  }

  /// Reads a line without its end.
  /// - Throws: `HostFault.malformed`, which names the fault.
  public init(line: some Collection<UInt8>) throws(HostFault) {
    let data = Data(line)
    let (type, id) = try MessageLine.head(data)
    func body<Body: Decodable>(
      _ kind: Body.Type, isFinite: Bool = true
    ) throws(HostFault) -> Body {
      // Results computed from these numbers reach the receiver, a file and other programs.
      try MessageLine.body(kind, of: data, type: type, isFinite: isFinite)
    }
    switch type {
    case "hello": self = .hello(try body(ClientHello.self))
    case "look": self = .look(id: try MessageLine.number(id, type: type))
    case "demand": self = .demand(try body(EstimateDemand.self))
    case "samples": self = .samples(try body(Bool.self))
    case "receiver": self = .receiver(try body(Bool.self))
    case "calibrate":
      self = .calibrate(
        id: try MessageLine.number(id, type: type), try body(CalibrationOrder.self))
    case "profiles":
      self = .profiles(id: try MessageLine.number(id, type: type), try body(ProfileOrder.self))
    case "monitor":
      self = .monitor(
        id: try MessageLine.number(id, type: type),
        try body(MonitoringCommand.self, isFinite: false).withFiniteRadius)
    case "listen": self = .listen(try body(Bool.self))
    case "registrations": self = .registrations(id: try MessageLine.number(id, type: type))
    case "authorize": self = .authorize(try body(GrantedAuthorization.self))
    case "fullAccuracy":
      self = .fullAccuracy(
        id: try MessageLine.number(id, type: type), purpose: try body(Purpose.self).purpose)
    case "lease": self = .lease(try body(Bool.self))
    default: self = .unknown(type: type)
    }
  }
}

extension MonitoringCommand {
  /// The command with the greatest finite radius in place of one that is not finite. The host then
  /// reports that the region cannot be monitored, and stores only finite numbers.
  fileprivate var withFiniteRadius: MonitoringCommand {
    switch self {
    case .startRegion(let region): .startRegion(region.withFiniteRadius)
    case .requestState(let region): .requestState(region.withFiniteRadius)
    case .addCondition(let monitor, let identifier, let condition, let state):
      .addCondition(
        monitor: monitor, identifier: identifier, condition: condition.withFiniteRadius,
        assuming: state)
    default: self
    }
  }
}

extension MonitoredRegion {
  fileprivate var withFiniteRadius: MonitoredRegion {
    var region = self
    region.condition = condition.withFiniteRadius
    return region
  }
}

extension MonitoredCondition {
  fileprivate var withFiniteRadius: MonitoredCondition {
    guard case .circle(let center, let radius) = self, !radius.isFinite else { return self }
    return .circle(center: center, radiusMetres: .greatestFiniteMagnitude)
  }
}
