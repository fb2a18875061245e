import Foundation
import TestSupport
import Testing

@Suite("Packages", .timeLimit(.minutes(30)))
struct PackagingTests {
  private func text(_ name: String) throws -> String {
    let file = SharedData.repository.appendingPathComponent("Packaging/\(name)")
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test("the archive has each folder that files are installed from")
  func archive() throws {
    let archived = Set(try text("build-tarball").split { " \n".contains($0) }.map(String.init))
    let folders = Set(try text("install-files").matches(of: /\$here\/([a-z]+)\//).map { "\($0.1)" })
    #expect(folders.isSuperset(of: ["systemd", "grafana"]))
    for folder in folders { #expect(archived.contains("Packaging/\(folder)"), "\(folder)") }
  }
}
