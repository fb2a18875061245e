import FoundationEssentials
import Glibc
import LinuxIO

/// Finds, builds and executes `lodestar-port-check`.
enum PortCheckProgram {
  static let name = "lodestar-port-check"

  /// The program's path: from the environment, beside this program, or on the PATH; else it is
  /// built from its sources if it is missing or older than they are.
  static func found(environment: [String: String]) throws -> String {
    if let named = environment["LODESTAR_PORT_CHECK"], !named.isEmpty {
      guard InstalledProgram.exists(named) else {
        throw Failure.unavailable(
          "LODESTAR_PORT_CHECK=\(named): not an executable file; set it to \(name), or unset it")
      }
      return named
    }
    if let program = installed(environment: environment) { return program }
    guard let sources else {
      throw Failure.unavailable(
        "\(name) is not installed: sudo apt install \(name), or build it in Lodestar's sources with "
          + "'swift build --package-path PortCheck' and put it on the PATH")
    }
    return try built(in: sources)
  }

  private static func installed(environment: [String: String]) -> String? {
    let beside = [
      ownFolder.appendingPathComponent(name).path,
      ownFolder.deletingLastPathComponent().appendingPathComponent("libexec/lodestar/\(name)").path,
    ]
    let onPath = InstalledProgram.places(of: name, environment: environment)
    return (beside + onPath).first(where: InstalledProgram.exists)
  }

  private static var ownFolder: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// Replaces this process by the program (execv).
  /// - Returns: The failure of the replacement.
  static func failure(becoming program: String, _ arguments: [String]) -> Failure {
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    // An ignored signal stays ignored after execv.
    signal(SIGPIPE, SIG_DFL)
    execv(program, words)
    return Failure.unavailable("\(program): cannot be run: \(String(cString: strerror(errno)))")
  }

  /// The package's folder, if this program was built in the repository's `.build`.
  private static var sources: String? {
    var folder = ownFolder
    while folder.path != "/" {
      let package = folder.appendingPathComponent("PortCheck")
      let manifest = package.appendingPathComponent("Package.swift").path
      if FileManager.default.fileExists(atPath: manifest) { return package.path }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  private static func built(in sources: String) throws -> String {
    // A debug build: an optimised one checks thousands of files faster, but building it takes
    // several times as long and 2 GB of memory.
    let program = sources + "/.build/debug/" + name
    if InstalledProgram.exists(program), !isOutdated(program, sources: sources) { return program }
    StandardError.say("building \(name) in \(sources); the first time takes some minutes")
    let build = ChildProcess()
    build.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    build.arguments = [
      "swift", "build", "--quiet", "--package-path", sources, "--product", name,
    ]
    // Standard output is for the findings.
    build.standardOutput = OpenStream.standardError
    do {
      try build.run()
    } catch {
      throw Failure.unavailable("\(name): cannot be built: \(error)")
    }
    build.waitUntilExit()
    guard build.terminationStatus == 0, InstalledProgram.exists(program) else {
      throw Failure.unavailable(
        "\(name) could not be built in \(sources): see above; it needs 'swift' 6.0 or later on the "
          + "PATH and a folder that may be written")
    }
    return program
  }

  /// True if a source or the manifest was changed after the program was built.
  private static func isOutdated(_ program: String, sources: String) -> Bool {
    guard let built = changeDate(program) else { return true }
    let files: [String]
    do {
      files = try FileManager.default.subpathsOfDirectory(atPath: sources + "/Sources")
    } catch {
      return true
    }
    let inputs = files.filter { $0.hasSuffix(".swift") }.map { "\(sources)/Sources/\($0)" }
    return (inputs + [sources + "/Package.swift"]).contains {
      changeDate($0).map { $0 > built } ?? true
    }
  }

  private static func changeDate(_ path: String) -> Date? {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return attributes[.modificationDate] as? Date
    } catch {
      return nil
    }
  }
}
