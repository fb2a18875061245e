import Foundation
import HostProtocol
import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

extension Attack {
  /// What a program or a person may put where chronyd's socket was.
  private enum ChronyPlace: CaseIterable {
    case blocked, closed, stream, file, linkToFile, linkToNothing, linkToItself, pipe, linkToPipe,
      folder, forbidden
  }

  /// A time peer that accepts nothing, is closed, or is replaced by another file.
  static let time = Attack(
    name: "time",
    what: "chronyd's sockets without a reader, closed, or replaced by links, files and pipes",
    witness: .answers,
    start: { program, _ in
      try AttackedDaemon(
        program, hasDevices: true,
        configuration: "time-chrony: $folder/chrony\ntime-nmea-wait: 0\n")
    }
  ) { daemon, isLong in
    let path = daemon.folder + "/chrony"
    var faults: [String] = []
    // Ten seconds of times that agree come first.
    var samples = try ChronyReader(path).samples(within: 30)
    if samples == 0 { return Finding(text: "", faults: ["no sample: \(daemon.log.suffix(300))"]) }
    for place in ChronyPlace.allCases {
      let foreign = try ForeignFile(daemon.folder + "/foreign")
      let ends = try replace(path, by: place, beside: foreign)
      // A sample comes each second.
      Thread.sleep(forTimeInterval: isLong ? 30 : 1.6)
      if let fault = foreign.change { faults.append("\(place): \(fault)") }
      if place == .file || place == .forbidden, foreign.size(of: path) > 0 {
        faults.append("\(place): it was written to")
      }
      if !daemon.isRunning { return Finding(text: "", faults: ["\(place): the daemon has ended"]) }
      withExtendedLifetime(ends) {}
      clear(path)
      let reader = try ChronyReader(path)
      let again = reader.samples(within: 10)
      if again == 0 { faults.append("\(place): no sample afterwards") }
      samples += again
    }
    // Each change of its fate is a line, and nothing else.
    let lines = daemon.log.split(separator: "\n").count { $0.contains("time-chrony") }
    let most = 2 * ChronyPlace.allCases.count + 2
    if lines > most { faults.append("\(lines) lines in the log, at most \(most)") }
    // SIGTERM comes while the socket accepts nothing.
    daemon.attachments = [try BlockedSocket(path)]
    Thread.sleep(forTimeInterval: 1.2)
    return Finding(
      text: "\(ChronyPlace.allCases.count) places, \(samples) samples, \(lines) lines",
      faults: faults)
  }

  /// Puts something in the place of chronyd's socket; what it returns must live as long as the
  /// place.
  private static func replace(
    _ path: String, by place: ChronyPlace, beside foreign: ForeignFile
  ) throws -> [AnyObject] {
    clear(path)
    switch place {
    case .blocked: return [try BlockedSocket(path)]
    case .closed: _ = try ChronyReader(path, removesFile: false)
    case .stream: return [try StreamListener(path: path, backlog: 1)]
    case .file: try Data().write(to: URL(fileURLWithPath: path))
    case .linkToFile: symlink(foreign.path, path)
    case .linkToNothing: symlink(path + "-none", path)
    case .linkToItself: symlink(path, path)
    case .pipe: mkfifo(path, 0o666)
    case .linkToPipe: symlink(foreign.pipe, path)
    case .folder: mkdir(path, 0o777)
    case .forbidden:
      try Data().write(to: URL(fileURLWithPath: path))
      chmod(path, 0)
    }
    return []
  }

  private static func clear(_ path: String) {
    if unlink(path) != 0 { rmdir(path) }
  }
}

/// chronyd's end of a socket: receives samples.
private final class ChronyReader {
  /// The bytes of a sample.
  private static let length = 40

  private let path: String
  private let removesFile: Bool
  fileprivate let file: Int32

  /// - Parameters:
  ///   - path: The path of the socket.
  ///   - removesFile: False where the file stays after the end, as after a crash.
  /// - Throws: Where the path is used.
  init(_ path: String, removesFile: Bool = true) throws {
    (self.path, self.removesFile) = (path, removesFile)
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    file = socket(AF_UNIX, type, 0)
    let address = try UnixAddress(path: path)
    guard address.withPointer({ bind(file, $0, $1) }) == 0 else {
      throw AttackedDaemon.StartFault(description: "\(path): \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    close(file)
    if removesFile { unlink(path) }
  }

  /// The number of samples that wait; with none, waits for the first one.
  func samples(within seconds: Double) -> Int {
    var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, Int32(clamping: Int(bounded: seconds * 1000))) > 0 else { return 0 }
    var bytes = [UInt8](repeating: 0, count: 128)
    var count = 0
    while recv(file, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == Self.length {
      count += 1
    }
    return count
  }
}

/// A socket that accepts nothing: nobody reads it, and its queue is full.
private final class BlockedSocket {
  private let reader: ChronyReader

  init(_ path: String) throws {
    reader = try ChronyReader(path)
    let sender = try DatagramSocket(path: path)
    // More than any queue; what is beyond it is dropped.
    for _ in 0..<2000 { try sender.send([UInt8](repeating: 0, count: 40)[...]) }
  }
}

/// A file and a pipe of another program, which must stay as they are.
private final class ForeignFile {
  private static let text = Data("not chronyd's".utf8)

  let path: String
  var pipe: String { path + "-pipe" }
  private let end: Int32

  init(_ path: String) throws {
    self.path = path
    try Self.text.write(to: URL(fileURLWithPath: path))
    unlink(path + "-pipe")
    mkfifo(path + "-pipe", 0o666)
    end = open(path + "-pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  }

  deinit { close(end) }

  /// What has been written; nil for nothing.
  var change: String? {
    if FileManager.default.contents(atPath: path) != Self.text { return "the file is changed" }
    var byte: UInt8 = 0
    return read(end, &byte, 1) > 0 ? "the pipe has bytes" : nil
  }

  /// The size of a file, bytes.
  func size(of path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
