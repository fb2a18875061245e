/// The version of the program; CHANGELOG.md has a section of the same number.
package enum Version {
  /// The version that `lodestar --version` prints.
  package static let text = "1.0.0"
}
