import Configuration
import FoundationEssentials

/// The available board files.
public struct BoardLibrary: Sendable {
  /// The boards with the paths of their files, sorted by file name in each folder.
  public private(set) var boards: [(path: String, board: Board)] = []
  /// The errors of the files that were skipped.
  public private(set) var faults: [BoardFileError] = []

  /// Reads all board files of the folders that exist.
  public init(folders: [String] = BoardLibrary.folders) {
    for folder in folders {
      let files: [String]
      do {
        files = try FileManager.default.contentsOfDirectory(atPath: folder)
      } catch {
        // Only the folder of the environment variable must exist.
        if folder == Self.named {
          faults.append(.unreadable(path: folder, reason: "LODESTAR_BOARDS names no such folder"))
        }
        continue
      }
      for file in files.sorted() where file.hasSuffix(".yaml") {
        let path = "\(folder)/\(file)"
        do throws(BoardFileError) {
          boards.append((path, try Board(path: path)))
        } catch {
          faults.append(error)
        }
      }
    }
  }

  /// The file of a name: the name itself as a path, or a board of that name in one of the folders.
  public static func path(of name: String) -> String {
    guard !name.contains("/"), !FileManager.default.fileExists(atPath: name) else { return name }
    let file = name.hasSuffix(".yaml") ? name : "\(name).yaml"
    return folders.map { "\($0)/\(file)" }
      .first { FileManager.default.fileExists(atPath: $0) } ?? name
  }

  /// Reads the board of a name or path.
  /// - Throws: `BoardFileError`; for an unknown name with the folders and the names in them.
  public static func board(named name: String) throws(BoardFileError) -> Board {
    let path = path(of: name)
    guard path == name, !name.contains("/"), !FileManager.default.fileExists(atPath: name) else {
      return try Board(path: path)
    }
    let known = names
    throw .unreadable(
      path: name,
      reason: "neither a file nor a board in \(folders.joined(separator: ", ")), which has "
        + (known.isEmpty ? "none" : known.joined(separator: ", ")))
  }

  /// The names by which `board(named:)` finds the files of the folders, sorted.
  public static var names: [String] {
    Set(
      BoardLibrary().boards.map {
        URL(fileURLWithPath: $0.path).deletingPathExtension().lastPathComponent
      }
    ).sorted()
  }

  /// The folders of board files: `LODESTAR_BOARDS` alone, or `/etc`, the system's shared folders,
  /// those installed beside the program or its library, and the source tree that contains the
  /// program.
  public static var folders: [String] {
    if let named { return [named] }
    var folders = [
      "/etc/lodestar/boards", "/usr/local/share/lodestar/boards", "/usr/share/lodestar/boards",
    ]
    for program in ownPlaces {
      var place = URL(fileURLWithPath: program).resolvingSymlinksInPath()
      while place.pathComponents.count > 1 {
        place.deleteLastPathComponent()
        let installed = place.appendingPathComponent("share/lodestar/boards").path
        if FileManager.default.fileExists(atPath: installed) { folders.append(installed) }
        let tree = place.appendingPathComponent("Boards")
        if FileManager.default.fileExists(atPath: tree.appendingPathComponent("README.md").path) {
          folders.append(tree.path)
          break
        }
      }
    }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0).inserted }
  }

  /// The paths of the program and of the library with this code: each may be installed beside its
  /// boards.
  private static var ownPlaces: [String] {
    let own = UInt(bitPattern: #dsohandle)
    let maps = FileManager.default.contents(atPath: "/proc/self/maps") ?? Data()
    // START-END rights offset device inode PATH
    let library = String(decoding: maps, as: UTF8.self).split(separator: "\n").first { line in
      let ends = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
      guard ends.count == 2, let start = ends[0], let end = ends[1] else { return false }
      return (start..<end).contains(own)
    }
    let path = library.flatMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
    return ["/proc/self/exe"] + [path].compactMap(\.self)
  }

  private static var named: String? { ProcessInfo.processInfo.environment["LODESTAR_BOARDS"] }

  /// The boards whose chips were all found, those with the fewest unexplained findings first.
  public func matches(_ findings: [Finding]) -> [BoardMatch] {
    boards.compactMap { BoardMatch(path: $0.path, board: $0.board, findings: findings) }
      .sorted { $0.unexplained < $1.unexplained }
  }
}

/// A board file whose chips were all found.
public struct BoardMatch: Sendable {
  /// The path of the file.
  public let path: String
  /// The board, on the bus where its chips were found.
  public let board: Board
  /// True if the board has only one chip: that may sit on any board, in any orientation.
  public var isAmbiguous: Bool { board.sensors.count < 2 }
  /// Number of found chips that are not on the board.
  public let unexplained: Int

  /// - Returns: nil if a chip of the board was not found, or if the board names none.
  init?(path: String, board: Board, findings: [Finding]) {
    guard !board.sensors.isEmpty else { return nil }
    let readable = findings.filter { $0.model != nil }
    var placed = board
    var used = 0
    for index in board.sensors.indices {
      let sensor = board.sensors[index]
      let fits = readable.filter {
        $0.model == sensor.chip && $0.address == sensor.address
          && Board.isSPI($0.bus) == Board.isSPI(sensor.bus)
      }
      // The chips may be on another bus than the one in the file.
      guard let match = fits.first(where: { $0.bus == sensor.bus }) ?? fits.first else {
        return nil
      }
      placed.sensors[index].bus = match.bus
      used += 1
    }
    guard Set(placed.sensors.map(\.bus)).count == 1 || placed == board else { return nil }
    self.path = path
    self.board = placed
    unexplained = readable.count - used
  }
}
