import LinuxIO

/// A token: the permission of one browser or program to change the daemon's state over the network.
package struct AccessToken: Codable, Equatable, Sendable {
  /// Names the token in lists and commands; not secret.
  package var id: String
  /// The name that its user gave, or the kind of device.
  package var name: String
  /// The hash of the secret, hexadecimal.
  var hash: String
  /// The time of creation, ISO 8601 in UTC by the machine's clock.
  package var created: String
  /// The time of the last use, likewise, to one hour; nil for none.
  package var used: String?
}

/// A new token with its secret, which is stored nowhere.
package struct NewAccessToken: Sendable {
  /// The token.
  package let token: AccessToken
  /// The secret: 256 random bits.
  package let secret: String
}

/// Where the web page is served, for links to it.
package struct ServedAddress: Codable, Equatable, Sendable {
  /// An address of this machine, all of them (0.0.0.0, ::), or localhost.
  package var host: String
  /// The TCP port.
  package var port: Int

  /// Makes an address.
  package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}

/// Why tokens cannot be read or changed.
package enum TokenFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be read or written.
  case file(FileFault)
  /// The file's content is not that of tokens.
  case damaged(path: String)
  /// The file is of a newer program.
  case newer(path: String, version: Int)
  /// Another program has the file locked.
  case busy(path: String)
  /// The greatest number of tokens is reached.
  case full(Int)

  /// One line for the user.
  package var description: String {
    switch self {
    case .file(let fault): fault.textOfState
    case .damaged(let path):
      "\(path): the tokens cannot be read: not the JSON of tokens; remove the file, and open a new link of "
        + "'lodestar token' on each device"
    case .newer(let path, let version):
      "\(path): the tokens stay as they are: \(StateVersion.reason(version, known: TokenStore.version))"
    case .busy(let path): "\(path): another program changes the tokens; try again"
    case .full(let count):
      "there are \(count) tokens, the greatest number; revoke one with 'lodestar token revoke'"
    }
  }
}
