import Dispatch
import HostProtocol
public import Monitoring
import Synchronization

/// Monitoring of this application by the host. Monitoring in the daemon continues after the program
/// ends.
///
/// A command that changes what is registered returns once it is stored. Without a connection it
/// waits for the next host, and commands are executed in order after the reconnection. Each event
/// is delivered once.
public final class HostMonitoring: MonitoringHost {
  /// Timeout of a request, seconds.
  private static let timeout = 2.0

  /// Seconds until an unanswered command returns without being stored: longer than a host in this
  /// process takes to replace a lost daemon.
  private static let storageTimeout = 15.0

  private let client: HostClient

  init(client: HostClient) { self.client = client }

  /// The host's current registrations; the last known ones without a connection.
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

  /// Executes a command, and returns once it is stored or refused.
  ///
  /// A command that cannot be encoded is dropped and reported as a notice, such as an invalid
  /// position or a polygon of thousands of corners. A facade has to check a program's regions
  /// before.
  public func perform(_ command: MonitoringCommand) { perform(command, onRefusal: nil) }

  /// Executes a command, and returns once it is stored or refused. Where no host answers, it
  /// returns after 15 s with a notice, and the command stays queued; further ones return at once
  /// until a host answers.
  /// - Parameters:
  ///   - command: The command.
  ///   - refused: Called with the reason if the access, the machine or a limit forbids the command,
  ///     which is then dropped. Without `refused`, a command that the access forbids waits until
  ///     the access changes.
  public func perform(
    _ command: MonitoringCommand, onRefusal refused: (@Sendable (HostFault) -> Void)?
  ) {
    if let fault = Self.fault(of: command) {
      return refused?(fault) ?? client.core.notices.notify("monitoring: \(fault)")
    }
    let id = client.core.withState { $0.makeID() }
    client.core.send { state in
      switch command {
      // Open monitors are opened again after a reconnection.
      case .openMonitor(let name): state.openMonitors.insert(name)
      case .closeMonitor(let name): state.openMonitors.remove(name)
      default: break
      }
      let message = state.monitoring.perform(command, id: id)
      if let refused, state.monitoring.isPending(id) {
        // A refusal of a replaced command is not reported.
        state.refusals = state.refusals.filter { state.monitoring.isPending($0.key) }
        state.refusals[id] = refused
      }
      return message
    }
    guard command.changesRegistrations,
      !client.core.waitForAnswer(to: id, seconds: Self.storageTimeout)
    else { return }
    client.core.notices.notify(
      "monitoring: a change is not stored: no host has answered for \(Int(Self.storageTimeout)) s; it "
        + "is sent again, and lost if the program ends before")
  }

  /// Why the daemon cannot read a command. The daemon would close the connection, again after each
  /// reconnection.
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

  /// Delivers all unacknowledged events to `body` in order, then each new one, on a delivery queue.
  /// `body` replaces the previous receiver; with nil events are queued.
  public func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {
    client.core.events.set(body) {
      client.core.withState { $0.monitoring.receiverChanged() }
    }
    client.core.send { state in
      guard state.wantsEvents != (body != nil) else { return nil }
      state.wantsEvents = body != nil
      return .listen(state.wantsEvents)
    }
    client.core.deliverPendingEvents()
  }
}

/// Delivers events in order, never within the call that requests them.
final class EventDelivery: Sendable {
  private let queue = DispatchQueue(label: "lodestar-events")
  private let receiver = Mutex<(@Sendable (MonitoringEvent) -> Void)?>(nil)

  /// Replaces the receiver and calls `change` in one step: events taken after `change` are
  /// delivered to the new receiver only.
  func set(_ new: (@Sendable (MonitoringEvent) -> Void)?, change: () -> Void) {
    receiver.withLock {
      $0 = new
      change()
    }
  }

  /// Waits until all earlier work is done.
  func waitUntilIdle() { queue.sync {} }

  /// Runs `body` after all earlier work.
  func run(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  func run(_ take: @escaping @Sendable () -> [MonitoringEvent]) {
    queue.async { [self] in
      let (body, events) = receiver.withLock { ($0, $0 == nil ? [] : take()) }
      guard let body else { return }
      for event in events { body(event) }
    }
  }
}
