import ArgumentParser
import Servers

/// `lodestar serve`: the daemon.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Read the board and serve its data to programs at a Unix socket.",
    discussion: """
      Programs with CLLocationManager, and lodestar heading and location, connect to the socket. Without a \
      sensor the daemon waits for one. SIGTERM and SIGINT end it, SIGHUP reads the policy again.

      The socket is --socket, else $LODESTAR_SOCKET, else /run/lodestar/lodestar.sock for root, else \
      $XDG_RUNTIME_DIR/lodestar.sock. The state is --state, else $STATE_DIRECTORY, else /var/lib/lodestar \
      for root, else $XDG_STATE_HOME/lodestar.
      """)

  @OptionGroup var options: ServeOptions

  mutating func run() throws {
    // First: a signal during the start is handled, not fatal.
    let signals = DaemonSignals()
    try options.daemon().run(signals)
  }
}
