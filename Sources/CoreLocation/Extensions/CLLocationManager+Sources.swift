internal import Board

/// Managers with their own delivery queue or source. Lodestar extensions.
extension CLLocationManager {
  /// Makes a manager whose delegate is called on a queue, for programs without a run loop.
  ///
  /// Services that a subclass has started in its `init()` are ended; its delegate and options are
  /// used.
  /// - Parameter queue: The queue on which the delegate is called: a serial queue, unless the
  ///   delegate supports concurrent calls.
  public convenience init(queue: DispatchQueue) {
    self.init()
    adopt(ManagerSession(services: session.services, context: .queue(queue)))
  }

  /// Makes a manager of one source, independent of the process's other managers. Managers of the
  /// same source share it, with the lever arm of the first of them. If the source cannot be opened,
  /// the error is `denied` with the remedy in its text.
  ///
  /// The class methods refer to the process's default source. A receiver or a bus can be opened
  /// only once: name a source that shares no device with the source of another manager.
  /// - Parameter source: A source of `availableSources`, or one that the program names.
  public convenience init(source: CLLocationSource) {
    self.init()
    adopt(ManagerSession(services: .services(for: source), context: .current()))
  }

  private func adopt(_ new: ManagerSession) {
    session.close()
    new.copyOptions(of: session)
    session = new
    new.setManager(self)
    if let delegate { new.delegate = delegate }
  }

  /// The sources that a manager can be made for: the process's open source, the attached board
  /// where the machine has a bus, gpsd where it runs, and every serial port that may have a
  /// receiver. No bus is accessed and no port is opened, so a listed port may have no receiver. The
  /// version of gpsd is requested, which may start it by systemd's socket activation.
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
  /// The open sources, followed by those of the machine, without duplicates.
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
  /// The origins of the positions of the open source; a closed source is not opened.
  var openSources: [CLLocationSource] {
    queue.sync { client.source.isOpen ? sources(of: client.source) : [] }
  }
}
