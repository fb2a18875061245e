/// The version of the program, written here only: `X.Y.Z` in a release, of which CHANGELOG.md has a
/// section, and `X.Y.Z~dev` of the next one before, which Debian's tools sort between the two.
package enum Version {
  /// The version that `lodestar --version` prints.
  package static let text = "1.1.0~dev"
}
