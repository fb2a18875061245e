internal import Engine

/// Managers with a place of delivery, or a source, of their own. Lodestar's own; Apple has nothing alike.
extension CLLocationManager {
  /// Makes a manager whose delegate is called on a queue, for programs without a run loop.
  ///
  /// What a subclass has started in its `init()` is not taken over; its delegate is.
  /// - Parameter queue: Where the delegate is called; a serial one, unless the delegate expects calls
  ///   side by side.
  public convenience init(queue: DispatchQueue) {
    self.init()
    adopt(ManagerSession(services: session.services, context: .queue(queue)))
  }

  /// Makes a manager of one source, whatever the process's other managers use. Managers of the same source share it;
  /// the lever arm of the first of them holds for all. A source that cannot be opened denies: the error's
  /// text says what to do.
  ///
  /// What the class methods tell is of the process's usual source. A receiver or a bus can be open once:
  /// name a source that no other manager's source contains.
  /// - Parameter source: What `availableSources` lists, or a program names.
  public convenience init(source: CLLocationSource) {
    self.init()
    adopt(ManagerSession(services: .services(for: source), context: .current()))
  }

  private func adopt(_ new: ManagerSession) {
    session.close()
    session = new
    new.belong(to: self)
    if let delegate { new.delegate = delegate }
  }

  /// The sources that a manager can be made for: first that of the process's other managers while it is open, the
  /// attached board where the machine has a bus, gpsd where it answers, then every serial port at which a
  /// receiver can be. No bus is touched and no port opened; that a receiver is at a port only its opening
  /// shows. gpsd is asked for its version, which may start it where systemd does so on demand.
  public static var availableSources: [CLLocationSource] {
    get async {
      let services = LocationServices.current
      return await withCheckedContinuation { done in
        DispatchQueue.global().async {
          let finder = BoardFinder()
          let inventory = finder.inventory(buses: [], asksGPSD: true)
          let all = CLLocationSource.available(
            beside: services.openSources, hasBus: finder.hasBus,
            hasGPSD: inventory.gpsdRelease != nil, ports: inventory.ports)
          done.resume(returning: all)
        }
      }
    }
  }
}

extension CLLocationSource {
  /// What the machine has, after what is open.
  package static func available(
    beside open: [CLLocationSource], hasBus: Bool, hasGPSD: Bool, ports: [String]
  ) -> [CLLocationSource] {
    var all = open
    if hasBus { all.append(.board) }
    if hasGPSD { all.append(CLLocationSource(id: "gpsd://localhost:2947", kind: .gnss)) }
    all += ports.map { CLLocationSource(id: $0, kind: .gnss) }
    return all.reduce(into: []) { unique, source in
      if !unique.contains(where: { $0.id == source.id }) { unique.append(source) }
    }
  }
}

extension LocationServices {
  /// Where the positions of what is open come from; nothing is opened to learn it.
  var openSources: [CLLocationSource] {
    queue.sync { publisher.map { opening.sources(of: $0) } ?? [] }
  }
}
