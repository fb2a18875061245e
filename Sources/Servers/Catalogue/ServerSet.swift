import Dispatch
import LinuxIO
import LocationHost

/// The running servers of the catalogue. A new configuration restarts those whose settings differ,
/// and tries again those that could not start.
final class ServerSet: Sendable {
  private struct State {
    var configuration: ServeConfiguration
    var running: [String: any Server] = [:]
    var hasStarted = false
    var hasEnded = false
  }

  private let context: ServerContext
  private let state: Locked<State>
  /// Held while servers are opened, which may wait for a name server: `stop` does not wait for it.
  private let opening = Locked(())

  /// Makes the servers; their ports are open afterwards.
  init(_ configuration: ServeConfiguration, _ context: ServerContext) {
    self.context = context
    state = Locked(State(configuration: configuration))
    open(configuration)
  }

  /// The ports at which servers listen, by their option.
  var ports: [String: Int] {
    state.withLock { state in
      state.running.values.reduce(into: [:]) { $0.merge($1.ports) { first, _ in first } }
    }
  }

  /// Starts all servers.
  func start() {
    state.withLock { state in
      state.hasStarted = true
      for server in state.running.values { server.start() }
    }
  }

  /// Changes the configuration. Clients of servers with equal settings stay connected.
  func apply(_ configuration: ServeConfiguration) {
    opening.withLock { _ in
      let changed = state.withLock { state in
        defer { state.configuration = configuration }
        return ServerCatalogue.kinds.compactMap { kind in
          kind.isEqual(state.configuration, configuration)
            ? nil : state.running.removeValue(forKey: kind.name)
        }
      }
      // Before their successors open the same ports.
      for server in changed { server.stop() }
      open(configuration)
    }
  }

  /// Ends all servers.
  func stop() {
    state.withLock { state in
      state.hasEnded = true
      // Each may wait for its peers, all of them together for a second.
      let group = DispatchGroup()
      for server in state.running.values {
        DispatchQueue.global().async(group: group) { server.stop() }
      }
      group.wait()
      state.running = [:]
    }
  }

  /// Opens the servers that do not run, until the end of all.
  private func open(_ configuration: ServeConfiguration) {
    for kind in ServerCatalogue.kinds {
      let isWanted = state.withLock { !$0.hasEnded && $0.running[kind.name] == nil }
      guard isWanted else { continue }
      do throws(ServerFault) {
        guard let server = try kind.make(configuration, context) else { continue }
        if !add(server, kind.name) { server.stop() }
      } catch {
        context.log.warning("\(error)")
      }
    }
  }

  /// Adds a server that was opened; false after the end of all.
  private func add(_ server: any Server, _ name: String) -> Bool {
    state.withLock { state in
      guard !state.hasEnded else { return false }
      state.running[name] = server
      if state.hasStarted { server.start() }
      return true
    }
  }
}
