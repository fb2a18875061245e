/// The version of this program, as `lodestar --version` prints it and CHANGELOG.md names it.
enum Version {
  static let text = "0.1.0"
}
