internal import Monitoring

/// Watches conditions, also those of earlier runs of the program, and tells when they begin and cease to
/// hold.
///
/// The conditions of a name are kept over a restart; the program makes the monitor again, by the same
/// name, and finds them there. There is one monitor of a name at a time, as on Apple's platforms; a
/// second one that is made while the first is in use shares its conditions and events.
///
/// No event is lost: one counts as told once the loop asks for the next or is left. Until then
/// `record(for:)` has the event before, and a program that ends in between is told it again.
public actor CLMonitor {
  /// The name that the conditions are kept under.
  public nonisolated let name: String
  /// The events, each told to one loop; they wait while nobody asks for them.
  ///
  /// Apple's declaration needs an `await` and Apple's article writes none; here both compile, and the
  /// compiler warns of the first.
  public nonisolated let events: Events

  private let inbox: MonitorInbox

  /// Opens the monitor of a name; asks for the authorization to use locations where nobody has decided.
  public init(_ name: String) async {
    let services = LocationServices.current
    self.name = name
    inbox = services.monitoring.inbox(named: name) {
      MonitorInbox(name: name, center: services.monitoring, authority: services.authority)
    }
    events = Events(inbox: inbox)
    inbox.askForAuthorization()
  }

  /// The names of the conditions that are watched, in the order of the alphabet.
  public var identifiers: [String] { inbox.identifiers }

  /// Watches a condition of which nothing is known, in place of the one of that name before. The first
  /// event tells its state.
  public func add(_ condition: any CLCondition, identifier: String) {
    inbox.add(condition, identifier: identifier, assuming: .unknown)
  }

  /// Watches a condition whose state the program takes to be known, in place of the one of that name
  /// before. An event corrects the state where it is another.
  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
    inbox.add(condition, identifier: identifier, assuming: state)
  }

  /// Watches the condition no more and forgets it.
  public func remove(_ identifier: String) { inbox.remove(identifier) }

  /// The condition of that name, with the event that the program was told last; nil where none is
  /// watched.
  public func record(for identifier: String) -> Record? { inbox.record(for: identifier) }

  /// The events of a monitor. Each is told to one loop, so two loops share them.
  public struct Events: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = Event

    fileprivate let inbox: MonitorInbox

    /// Begins to take events.
    public func makeAsyncIterator() -> Iterator { Iterator(inbox: inbox) }

    /// Takes events; what it has taken counts as told once the next is asked for, or it is released.
    public struct Iterator: AsyncIteratorProtocol {
      private let reader: MonitorReader

      fileprivate init(inbox: MonitorInbox) { reader = MonitorReader(inbox: inbox) }

      /// The next event, once there is one; nil where the task was cancelled.
      public mutating func next() async throws -> Event? { await reader.next() }
    }
  }
}

/// One loop over a monitor's events.
private final class MonitorReader: Sendable {
  private let inbox: MonitorInbox
  private let taken = Locked<MonitorInbox.Item?>(nil)

  init(inbox: MonitorInbox) { self.inbox = inbox }

  deinit { finishTaken() }

  func next() async -> CLMonitor.Event? {
    finishTaken()
    guard let item = await inbox.next() else { return nil }
    taken.withLock { $0 = item }
    return inbox.event(of: item)
  }

  private func finishTaken() {
    let item = taken.withLock { taken in
      defer { taken = nil }
      return taken
    }
    if let item { inbox.finish(item) }
  }
}
