/// The version that `lodestar --version` prints; CHANGELOG.md has a section of the same number.
enum Version {
  static let text = "1.0.0"
}
