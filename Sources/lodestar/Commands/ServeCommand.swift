import ArgumentParser
import Configuration
import FoundationEssentials
import LinuxIO
import LocationHost
import Servers
import Storage
import Terminal

/// `lodestar serve`: the daemon.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Read the board and serve its data to programs at a Unix socket.",
    discussion: """
      Programs with CLLocationManager, and lodestar heading and location, connect to the socket. Without a \
      sensor the daemon waits for one. SIGTERM and SIGINT end it, SIGHUP reads the policy and the file of --config \
      again. Servers for other programs are keys of that file: lodestar-serve.yaml(5); without it gpsd's protocol at port 2947 and \
      the web page at port 8090, for this machine only.

      The socket is --socket, else $LODESTAR_SOCKET, else /run/lodestar/lodestar.sock for root, else \
      $XDG_RUNTIME_DIR/lodestar.sock. The state is --state, else $LODESTAR_STATE, else $STATE_DIRECTORY, \
      else /var/lib/lodestar for root, else $XDG_STATE_HOME/lodestar.
      """)

  @OptionGroup var options: ServeOptions

  @Flag(
    help:
      "Read the file and everything that it names, print what is wrong with the line, and end."
  )
  var checkConfig = false

  mutating func run() throws {
    if checkConfig { return try check() }
    // Before the first thread starts.
    ProcessMemory.useOneHeap()
    // At once: a signal during the start is handled, not fatal.
    let signals = DaemonSignals()
    let daemon = try options.daemon()
    printFirstLink(of: daemon)
    daemon.run(signals)
  }

  /// Prints the link to the web page while no browser has a token.
  private func printFirstLink(of daemon: Daemon) {
    let log = HostLog.standardError(environment: ProcessInfo.processInfo.environment)
    do throws(TokenFault) {
      guard try daemon.isWithoutToken() else { return }
      // A log has more readers than the terminal of the one who starts the program.
      guard StandardStream.errors.isTerminal else {
        return log.notice(
          "no browser has the permission to calibrate yet: 'lodestar token' prints a link")
      }
      guard let link = try daemon.makeLink() else { return }
      let text = InvitationText(link)
      log.notice("no browser has the permission to calibrate yet; \(text.sentence)")
      for line in text.code(for: .errors) { StandardError.put(line) }
    } catch {
      log.warning("no link to the web page: \(error)")
    }
  }

  private func check() throws {
    let plan = try options.plan()
    let (_, fault) = Policy.loadSafely()
    if let fault { throw Failure.input("\(fault)") }
    let out = OutputStream()
    for line in plan.configuration.summary { try out.line(line) }
    try out.line("\(plan.file?.path ?? "the command line"): no fault found")
    try out.close()
  }
}
