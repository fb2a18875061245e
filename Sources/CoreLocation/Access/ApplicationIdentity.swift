internal import LocationHost

/// The name of this program in the policy, the daemon and the state on disk.
package enum ApplicationIdentity {
  /// The maximum length: the name of a journal's folder, with room for a suffix.
  private static let longest = 64
  /// The variable that names the program; a systemd unit sets it.
  package static let variable = "CL_APPLICATION_ID"

  /// True for a program that the daemon has started because of an event.
  package static func isLaunchedForLocation(environment: [String: String]) -> Bool {
    environment["CL_LAUNCHED_FOR_LOCATION"] == "1"
  }

  /// The identifier: the environment's, else the bundle's, else the executable's name.
  ///
  /// Characters that are not permitted in an identifier are replaced by `-`.
  package static func identifier(
    environment: [String: String], bundle: String? = Bundle.main.bundleIdentifier,
    executable: String = CommandLine.arguments.first ?? ""
  ) -> String {
    let candidates = [
      environment[variable], bundle, URL(fileURLWithPath: executable).lastPathComponent,
    ]
    for case .some(let candidate) in candidates {
      let name = String(candidate.prefix(longest).map { isAllowed($0) ? $0 : "-" })
      if ApplicationKey.isValid(name) { return name }
    }
    return "application"
  }

  private static func isAllowed(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || ".-_".contains(character))
  }
}
