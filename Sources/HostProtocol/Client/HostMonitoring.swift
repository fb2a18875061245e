import Dispatch
public import Monitoring
import Synchronization

/// Monitoring of this application in the daemon: it goes on while the program does not run.
///
/// While the daemon is away commands wait, and take effect in their order when it is back; events come once each.
public final class HostMonitoring: MonitoringHost {
  /// Seconds that an answer may take.
  private static let timeout = 2.0

  private let client: HostClient

  init(client: HostClient) { self.client = client }

  /// What is asked for now. The daemon is asked; what was known last where it is away.
  public func registrations() -> MonitoringRegistrations {
    do throws(HostError) {
      let answer = try client.core.ask(seconds: Self.timeout) { .registrations(id: $0) }
      guard case .registrations(_, let registrations) = answer else { return known }
      client.core.withState { $0.monitoring.learn(registrations) }
      return known
    } catch {
      return known
    }
  }

  private var known: MonitoringRegistrations {
    client.core.withState { $0.monitoring.registrations }
  }

  /// Does what the application asks.
  ///
  /// What cannot be encoded at all is left out and reported as a notice: a place that is none on earth, a polygon
  /// of thousands of corners. A facade checks regions of a program's numbers first.
  public func perform(_ command: MonitoringCommand) { perform(command, onRefusal: nil) }

  /// Does what the application asks.
  /// - Parameters:
  ///   - command: What it asks.
  ///   - refused: Called with the reason where the access or the machine forbids it; the command is dropped then.
  ///     Without it a command that the access forbids waits for another access.
  public func perform(
    _ command: MonitoringCommand, onRefusal refused: (@Sendable (HostFault) -> Void)?
  ) {
    if let fault = Self.fault(of: command) {
      return client.core.notices.notify("monitoring: \(fault)")
    }
    client.core.send { state in
      let id = state.takeID()
      switch command {
      // The monitors whose events come here are reported again after a reconnection.
      case .openMonitor(let name): state.openMonitors.insert(name)
      case .closeMonitor(let name): state.openMonitors.remove(name)
      default: break
      }
      let message = state.monitoring.perform(command, id: id)
      if let refused, state.monitoring.isPending(id) {
        // Of commands that a later one has replaced nothing is reported.
        state.refusals = state.refusals.filter { state.monitoring.isPending($0.key) }
        state.refusals[id] = refused
      }
      return message
    }
  }

  /// Why the daemon could not read a command: it would end the connection, again after each new one.
  private static func fault(of command: MonitoringCommand) -> HostFault? {
    let line = ClientMessage.monitor(id: .max, command).line
    guard line.count <= LineLimit.request else {
      return HostFault(.tooLong, "a command of more than \(LineLimit.request) bytes")
    }
    do throws(HostFault) {
      _ = try ClientMessage(line: line)
      return nil
    } catch {
      return error
    }
  }

  /// Hands every event that was not acknowledged to `body`, in order, then each new one, on the connection's
  /// thread or on a thread of its own; in place of the receiver before. nil: events wait.
  public func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {
    client.core.events.set(body) {
      client.core.withState { $0.monitoring.receiverChanged() }
    }
    client.core.send { state in
      guard state.wantsEvents != (body != nil) else { return nil }
      state.wantsEvents = body != nil
      return .listen(state.wantsEvents)
    }
    client.core.handEventsOver()
  }
}

/// Hands events over one after another, never inside the call that asked for them.
final class EventDelivery: Sendable {
  private let queue = DispatchQueue(label: "lodestar-events")
  private let receiver = Mutex<(@Sendable (MonitoringEvent) -> Void)?>(nil)

  /// Hands over to another receiver from now on. What `change` makes of the events is theirs: no event that is
  /// taken after it goes to the receiver before.
  func set(_ new: (@Sendable (MonitoringEvent) -> Void)?, change: () -> Void) {
    receiver.withLock {
      $0 = new
      change()
    }
  }

  /// Returns once what was run so far is done.
  func settle() { queue.sync {} }

  /// Does something after what was run before.
  func run(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  func run(_ take: @escaping @Sendable () -> [MonitoringEvent]) {
    queue.async { [self] in
      let (body, events) = receiver.withLock { ($0, $0 == nil ? [] : take()) }
      guard let body else { return }
      for event in events { body(event) }
    }
  }
}
