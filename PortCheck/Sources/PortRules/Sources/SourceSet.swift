/// All sources that are checked together: a type may be declared in one file and extended in
/// another.
public struct SourceSet: Sendable {
  /// The parsed files.
  public let files: [SourceFile]
  /// The package manifests among them and above them: they are not checked as sources.
  let manifests: [Manifest]
  /// The findings for files that cannot be read.
  let unreadable: [Finding]
  /// Types, conformances and methods over all files.
  let types: TypeIndex
  /// The files of packages that use Core Location or Core Motion, which are to be built on Linux.
  /// Where targets of a package use them, only the files of its targets: examples are built
  /// otherwise.
  let portedFiles: [SourceFile]

  /// Makes a set of parsed files.
  /// - Parameters:
  ///   - files: The sources.
  ///   - manifests: The manifests of packages that they belong to.
  ///   - unreadable: Files that could not be read, as findings.
  public init(files: [SourceFile], manifests: [Manifest] = [], unreadable: [Finding] = []) {
    (self.files, self.manifests, self.unreadable) = (files, manifests, unreadable)
    types = TypeIndex(files)
    portedFiles = Dictionary(grouping: files) { Self.manifest(of: $0, among: manifests)?.folder }
      .flatMap { folder, files in
        let manifest = manifests.first { $0.folder == folder }
        let built = files.filter { manifest?.builds($0) ?? true }
        return built.contains(where: \.isOfPhone)
          ? built : files.contains(where: \.isOfPhone) ? files : []
      }
  }

  /// The manifest of the package that a file belongs to: the one nearest above it.
  func manifest(of file: SourceFile) -> Manifest? { Self.manifest(of: file, among: manifests) }

  private static func manifest(of file: SourceFile, among manifests: [Manifest]) -> Manifest? {
    manifests.filter { $0.holds(file) }.max { $0.folder.count < $1.folder.count }
  }
}
