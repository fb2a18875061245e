import HostProtocol
import LinuxIO
import LocationHost
import Quantities

/// Whether the compass is served to desktops, and at which bus.
public struct SensorProxySettings: Sendable, Equatable {
  /// True to serve it.
  public var isOn = false
  /// The bus at which it is served.
  public var bus = DBusAddress.system

  /// Makes the default settings: no compass.
  public init() {}
}

/// The compass of `net.hadess.SensorProxy`, the interface of iio-sensor-proxy, for GeoClue and
/// programs of the desktop. Headings are requested only while a client has claimed the compass, and
/// fixes never.
/// - Source: iio-sensor-proxy 3.0, D-Bus API Reference: degrees clockwise from magnetic north, -1
///   where unknown; claims end with the connection of their client.
final class SensorProxyServer: Server {
  private static let service = "net.hadess.SensorProxy"
  private static let root = "/net/hadess/SensorProxy"
  private static let compassPath = root + "/Compass"
  private static let compass = service + ".Compass"
  /// The heading where none is known, as the interface defines it.
  private static let unknown = -1.0
  /// The least interval between two headings, seconds.
  private static let interval = 0.1
  /// Limit of the clients that have claimed the compass.
  private static let mostClaims = 64
  /// The pause before another attempt where the bus refuses the name, seconds.
  private static let retryPause = 30.0
  /// The sensors that are not served, so that a client reads their absence.
  private static let otherSensors: [String: DBusValue] = [
    "HasAccelerometer": .boolean(false), "AccelerometerOrientation": .string("undefined"),
    "HasAmbientLight": .boolean(false), "LightLevelUnit": .string("lux"),
    "LightLevel": .double(0), "HasProximity": .boolean(false), "ProximityNear": .boolean(false),
  ]
  /// Claims are allowed without the sensor.
  private static let otherMethods = ["Accelerometer", "Light", "Proximity"].flatMap {
    ["Claim\($0)", "Release\($0)"]
  }

  private struct State {
    var feed: HostFeed?
    var tree: DBusObjectTree?
    var nameWatch: DBusRegistration?
    /// The clients that have claimed the compass, by their unique names, with the watch of each.
    var claims: [String: DBusRegistration] = [:]
    var hasCompass = false
    var heading = unknown
    var lastTaken: Timestamp?
    /// True while the connection's thread has been requested to send the heading.
    var isSending = false
    var noted = ""
    var isOver = false
  }

  private let connection: DBusConnection
  private let context: ServerContext
  private let state = Locked(State())

  /// Makes a server; nil where it is off.
  init?(_ settings: SensorProxySettings, _ context: ServerContext) {
    guard settings.isOn else { return nil }
    connection = DBusConnection(settings.bus)
    self.context = context
  }

  func start() {
    let demand = EstimateDemand(headings: true, headingInterval: Self.interval)
    let feed = HostFeed("sensor-proxy", context, demand: demand, takesEarly: true) {
      [weak self] in self?.receive($0)
    }
    state.withLock { $0.feed = feed }
    connection.perform { [weak self] in self?.begin() }
  }

  func stop() {
    let (feed, tree) = state.withLock { state in
      defer {
        state = State()
        state.isOver = true
      }
      return (state.feed, state.tree)
    }
    feed?.stop()
    tree?.close()
    // The bus releases the name and the claims end.
    connection.close()
  }

  // MARK: On the host's threads

  private func receive(_ update: HostUpdate) {
    switch update {
    case .estimate(let estimate): receive(estimate)
    case .source, .access: connection.perform { [weak self] in self?.updatePresence() }
    case .samples, .receiver, .fix: break
    }
  }

  private func receive(_ estimate: Estimate) {
    let now = MonotonicClock.now
    let heading = estimate.magneticHeading.map { Self.rounded($0.angle) } ?? Self.unknown
    let mustSend = state.withLock { state in
      guard !state.claims.isEmpty, state.hasCompass,
        state.lastTaken.isDue(at: now, every: Self.interval), state.heading != heading
      else { return false }
      defer { state.isSending = true }
      state.heading = heading
      return !state.isSending
    }
    if mustSend { connection.perform { [weak self] in self?.sendHeading() } }
  }

  /// Degrees of 0 to 359.9, in tenths.
  private static func rounded(_ angle: Angle) -> Double {
    let tenths = (angle.degrees * 10).rounded()
    return tenths >= 3600 ? 0 : tenths / 10
  }

  // MARK: On the connection's thread

  private func begin() {
    let tree = DBusObjectTree(connection, root: Self.root)
    let (isOver, hasCompass) = state.withLock { state in
      state.tree = tree
      return (state.isOver, state.hasCompass)
    }
    guard !isOver else { return }
    // Without a bus at the start the objects are exported once there is one.
    recordFault { () throws(DBusError) in
      try tree.add(
        Self.compass, at: Self.compassPath,
        properties: ["HasCompass": .boolean(hasCompass), "CompassHeading": .double(Self.unknown)],
        methodNames: ["ClaimCompass", "ReleaseCompass"]
      ) { [weak self] call in self?.answer(call) ?? .unknownMethod(call) }
    }
    recordFault { () throws(DBusError) in
      try tree.add(
        Self.service, at: Self.root, properties: Self.otherSensors, methodNames: Self.otherMethods
      ) { Self.otherMethods.contains($0.method) ? .values([]) : .unknownMethod($0) }
    }
    updatePresence()
    let watch = connection.watch(Self.service) { [weak self] in self?.ownerChanged($0) }
    state.withLock { $0.nameWatch = watch }
  }

  /// Requests the bus name while it has no owner; reports an owner that is another program.
  private func ownerChanged(_ owner: String?) {
    guard let owner else { return own() }
    guard owner != connection.uniqueName else { return }
    var text = "another program"
    do throws(DBusError) {
      let answer = try connection.call(.bus("GetConnectionUnixProcessID", [.string(owner)]))
      if let pid = answer.first?.integer { text = PortOwner.name(ofProcess: pid) }
    } catch {
      // It has just ended, and the next change of the owner follows.
    }
    report(
      "\(Self.service) belongs to \(text), whose clients do not get this daemon's heading; "
        + "'systemctl mask --now iio-sensor-proxy', or set sensor-proxy to off")
  }

  private func own() {
    do throws(DBusError) {
      try connection.own(Self.service)
      state.withLock { $0.noted = "" }
    } catch {
      switch error.kind {
      // The bus is away; the name is requested with its return.
      case .busMissing, .disconnected, .libraryMissing: return
      // Another program was faster: the watch reports it.
      case .refused: return
      case .accessDenied:
        report(
          "the bus refuses the name \(Self.service): install Packaging/dbus/org.lodestar.conf in "
            + "/usr/share/dbus-1/system.d, and 'systemctl reload dbus'")
      default: report("\(error)")
      }
      connection.perform(after: Self.retryPause) { [weak self] in self?.own() }
    }
  }

  private func recordFault(_ body: () throws(DBusError) -> Void) {
    do throws(DBusError) { try body() } catch { report("\(error)") }
  }

  private func report(_ text: String) {
    let isNew = state.withLock { state in
      defer { state.noted = text }
      return state.noted != text
    }
    if isNew { context.log.warning("sensor-proxy: \(text)") }
  }

  private func updatePresence() {
    guard let feed = state.withLock({ $0.feed }) else { return }
    let hasCompass = feed.source.hasHeading && feed.client.access.current.allowsUpdates
    let isNew = state.withLock { state in
      defer { state.hasCompass = hasCompass }
      if !hasCompass { state.heading = Self.unknown }
      return state.hasCompass != hasCompass
    }
    guard isNew else { return }
    change(["HasCompass": .boolean(hasCompass)], for: nil)
    if !hasCompass { sendHeading() }
  }

  private func sendHeading() {
    let (heading, clients) = state.withLock { state in
      state.isSending = false
      return (state.heading, Array(state.claims.keys))
    }
    change(["CompassHeading": .double(heading)], for: clients)
  }

  private func change(_ properties: [String: DBusValue], for clients: [String]?) {
    do throws(DBusError) {
      try state.withLock { $0.tree }?.change(
        properties, of: Self.compass, at: Self.compassPath, for: clients)
    } catch {
      // The bus is lost, and with it the claims.
    }
  }

  // MARK: Claims, on the connection's thread

  private func answer(_ call: DBusIncomingCall) -> DBusAnswer {
    switch call.method {
    case "ClaimCompass": return claim(call.sender)
    case "ReleaseCompass": release(call.sender)
    default: return .unknownMethod(call)
    }
    return .values([])
  }

  private func claim(_ client: String) -> DBusAnswer {
    let (isKnown, isFull) = state.withLock { state in
      (state.claims[client] != nil, state.claims.count >= Self.mostClaims)
    }
    if isKnown { return .values([]) }
    if isFull {
      report("more than \(Self.mostClaims) clients claim the compass")
      return .fault(
        name: "org.freedesktop.DBus.Error.LimitsExceeded",
        message: "\(Self.mostClaims) clients have claimed the compass")
    }
    let watch = connection.watch(client) { [weak self] owner in
      if owner == nil { self?.release(client) }
    }
    let feed = state.withLock { state in
      state.claims[client] = watch
      return state.feed
    }
    feed?.request(.estimates)
    // After the answer: the client knows the heading of another client's claim at once.
    connection.perform { [weak self] in
      guard let self, state.withLock({ $0.heading != Self.unknown }) else { return }
      sendHeading()
    }
    return .values([])
  }

  private func release(_ client: String) {
    let (gone, feed) = state.withLock { state in
      let gone = state.claims.removeValue(forKey: client)
      guard state.claims.isEmpty else { return (gone, HostFeed?.none) }
      state.heading = Self.unknown
      return (gone, state.feed)
    }
    gone?.cancel()
    guard let feed else { return }
    feed.request([])
    sendHeading()
  }
}
