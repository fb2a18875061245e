internal import Policy

/// The name by which the policy, the daemon and the state on disk know this program.
package enum ApplicationIdentity {
  /// What a journal's folder can be called, with room for a suffix.
  private static let longest = 64
  /// The variable that names the program; a systemd unit sets it.
  package static let variable = "CL_APPLICATION_ID"

  /// True for a program that the daemon had started because an event was due.
  package static func isLaunchedForLocation(environment: [String: String]) -> Bool {
    environment["CL_LAUNCHED_FOR_LOCATION"] == "1"
  }

  /// The identifier: the environment's, else the bundle's, else the executable's name.
  ///
  /// Characters that an identifier may not have become `-`.
  package static func identifier(
    environment: [String: String], bundle: String? = Bundle.main.bundleIdentifier,
    executable: String = CommandLine.arguments.first ?? ""
  ) -> String {
    let candidates = [
      environment[variable], bundle, URL(fileURLWithPath: executable).lastPathComponent,
    ]
    for case .some(let candidate) in candidates {
      let name = String(candidate.prefix(longest).map { isAllowed($0) ? $0 : "-" })
      if Policy.isApplicationID(name) { return name }
    }
    return "application"
  }

  private static func isAllowed(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || ".-_".contains(character))
  }
}
