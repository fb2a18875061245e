import ArgumentParser
import FoundationEssentials
import Glibc
import JSON
import LinuxIO
import Quantities
import Servers
import Storage
import Terminal

/// `lodestar token`: the permissions to change the daemon's state over the network.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Give a phone or a program the permission to calibrate over HTTP.",
    discussion: """
      Without a subcommand it prints a link to the web page, with a QR code at a terminal. The browser that opens the \
      link within 10 minutes has the permission until it is revoked; the link works once. For the daemon of the \
      system run it as root: sudo lodestar token.
      """,
    subcommands: [TokenAddCommand.self, TokenListCommand.self, TokenRevokeCommand.self],
    defaultSubcommand: TokenAddCommand.self)
}

/// The tokens of one daemon.
struct TokenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of the daemon's persistent state, as for serve.", valueName: "folder"),
    completion: .directory)
  var state: String?

  /// The tokens of the state folder, as its owner.
  func store() throws(Failure) -> TokenStore {
    let folder =
      state
      ?? StatePlace.folder(environment: ProcessInfo.processInfo.environment)
    guard let folder else { throw .usage("no state folder: set HOME, or give --state") }
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw .unavailable(
        "\(folder): \(String(cString: strerror(errno))); start the daemon, or name its folder with --state "
          + "(that of the system needs root: sudo lodestar token)")
    }
    // The daemon must be able to read and replace the file.
    if geteuid() == 0, status.st_uid != 0 {
      guard setgroups(0, nil) == 0, setgid(status.st_gid) == 0, setuid(status.st_uid) == 0 else {
        throw .output("\(folder): cannot act as its owner: \(String(cString: strerror(errno)))")
      }
    }
    return TokenStore(stateFolder: folder)
  }
}

extension Failure {
  /// The failure for a fault of the tokens.
  init(_ fault: TokenFault) {
    if case .file(let file) = fault, file.code == EACCES || file.code == EPERM {
      self = .output("\(file.path): \(file.reason); run it as root: sudo lodestar token")
    } else {
      self = .output("\(fault)")
    }
  }
}

/// `lodestar token add`: prints a one-time link.
struct TokenAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Print a one-time link for a new token. The default.")

  @Option(help: "The name of the token, such as phone; the kind of device by default.")
  var name: String?

  @Option(
    help: "The beginning of the link where a proxy serves the page, such as https://boat.example.")
  var url: String?

  @Flag(inversion: .prefixedNo, help: "Print a QR code; by default where the output is a terminal.")
  var qr: Bool?

  @OptionGroup var options: TokenOptions

  func validate() throws {
    if let url, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
      throw ValidationError("--url \(url): expected http://HOST or https://HOST")
    }
  }

  func run() throws {
    let store = try options.store()
    let text = InvitationText(try link(store))
    let code = qr ?? StandardStream.output.isTerminal ? text.code(for: .output) : []
    let out = OutputStream()
    for line in Array(text.links.prefix(1)) + code + Array(text.links.dropFirst()) {
      try out.line(line)
    }
    try out.close()
    StandardError.say(text.advice)
  }

  private func link(_ store: TokenStore) throws(Failure) -> PageLink {
    do throws(TokenFault) {
      if let url { return PageLink(to: url, code: try store.makeCode(name: name ?? "")) }
      if let address = try store.address() {
        return PageLink(to: address, code: try store.makeCode(name: name ?? ""))
      }
    } catch {
      throw Failure(error)
    }
    throw .unavailable(
      "no daemon has served the web page with this state folder: start it, with http-port in its file"
    )
  }
}

/// `lodestar token list`: the tokens.
struct TokenListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the tokens.")

  @Option(help: "Lines of text, or one JSON object.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  @OptionGroup var options: TokenOptions

  func run() throws {
    let store = try options.store()
    let tokens: [AccessToken]
    do throws(TokenFault) { tokens = try store.tokens() } catch { throw Failure(error) }
    let out = OutputStream()
    switch format {
    case .json:
      try out.line(
        JSONWriter.record(at: SystemClock.civilTime) { json in
          json.add("tokens", tokens) { token, json in
            json.add("id", token.id)
            json.add("name", token.name)
            json.add("created", token.created)
            json.add("used", token.used)
          }
        })
    case .text:
      let rows =
        [["ID", "NAME", "CREATED", "LAST USE"]]
        + tokens.map { [$0.id, $0.name, $0.created, $0.used ?? "never"] }
      let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
      for row in rows {
        let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        try out.line((cells + [row[3]]).joined(separator: "  "))
      }
      if tokens.isEmpty { StandardError.say("no token; make one with lodestar token") }
    }
    try out.close()
  }
}

/// `lodestar token revoke`: removes tokens.
struct TokenRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a token, or all of them and the links not used yet.",
    discussion: "It holds at once for requests, and within a second for open pages.")

  @Argument(help: "The identifier from token list.")
  var id: String?

  @Flag(help: "Revoke all tokens and links.")
  var all = false

  @OptionGroup var options: TokenOptions

  func validate() throws {
    if (id == nil) != all { throw ValidationError("give the identifier of a token, or --all") }
  }

  func run() throws {
    let store = try options.store()
    let revoked: [AccessToken]
    do throws(TokenFault) { revoked = try store.revoke(id) } catch { throw Failure(error) }
    if let id, revoked.isEmpty {
      throw Failure.input("no token has the identifier '\(id)'; see lodestar token list")
    }
    for token in revoked { StandardError.say("revoked \(token.id) (\(token.name))") }
    if revoked.isEmpty { StandardError.say("there was no token") }
  }
}
