#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal while a screen is drawn on it: alternate screen, no cursor, keys without echo. All of
/// that is undone when the session ends, however it ends.
public struct TerminalSession: ~Copyable {
  /// True where standard output is a terminal.
  public static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Frames a second: what the eye follows on a compass, at a few kilobytes a second over ssh.
  public static let standardFrameRate = 10.0

  private let keys: Int32
  private let opensKeys: Bool

  /// Takes the terminal over.
  /// - Throws: `TerminalError` where standard output is no terminal or refuses its modes.
  public init() throws(TerminalError) {
    (keys, opensKeys) = try Self.takeOver()
  }

  private static func takeOver() throws(TerminalError) -> (keys: Int32, opensKeys: Bool) {
    guard isInteractive else { throw .notATerminal }
    // Standard input may be a file or a pipe; the keys still come from the terminal.
    let isInputTerminal = isatty(STDIN_FILENO) == 1
    let keys = isInputTerminal ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
    do throws(TerminalError) {
      try TerminalRestore.take(input: keys, output: STDOUT_FILENO)
    } catch {
      if !isInputTerminal && keys >= 0 { close(keys) }
      throw error
    }
    return (keys, !isInputTerminal && keys >= 0)
  }

  deinit {
    TerminalRestore.end()
    if opensKeys { close(keys) }
  }

  /// Who decides what a key does.
  public enum KeyHandling: Sendable {
    /// `q` and Ctrl-C end the session; a sequence of an arrow or function key is nobody's.
    case quits
    /// Every byte goes to the drawing, sequences and Ctrl-C too; Ctrl-Z pauses as well.
    case passesAll
  }

  /// Draws frame after frame until a key or the drawing ends it, or the terminal hangs up.
  /// - Parameters:
  ///   - frameRate: Frames a second.
  ///   - handling: Who decides what a key does.
  ///   - draw: Makes a frame for a size, told the keys pressed since the last one; nil ends the session.
  /// - Throws: `TerminalError.writeFailed` where the terminal is gone.
  public mutating func run(
    frameRate: Double = TerminalSession.standardFrameRate, handling: KeyHandling = .quits,
    draw: (CompassScreen.Size, [UInt8]) -> [String]?
  ) throws(TerminalError) {
    let period = UInt64(1e9 / min(60, max(0.1, frameRate)))
    var due = Self.now()
    var pressed: [UInt8] = []
    var lastSize: CompassScreen.Size?
    while true {
      if TerminalRestore.wantsSuspension != 0 {
        TerminalRestore.suspendJob()
        lastSize = nil
      }
      if TerminalRestore.wasContinued != 0 {
        TerminalRestore.wasContinued = 0
        try TerminalRestore.enter()
        lastSize = nil
      }
      // A handler gave the terminal back and the process lives on: nothing more may be drawn.
      guard TerminalRestore.isTaken != 0 else { return }
      let size = Self.size
      guard let lines = draw(size, pressed) else { return }
      try TerminalRestore.write(Self.frame(lines, clears: size != lastSize))
      lastSize = size
      due = max(due + period, Self.now())
      guard let bytes = readKeys(until: due) else { return }
      // An arrow or function key is a sequence with letters in it that nobody typed.
      pressed = handling == .quits ? Array(bytes.prefix { $0 != Key.escape }) : bytes
      if handling == .quits, pressed.contains(where: Self.quits) { return }
      if pressed.contains(Key.controlZ) { TerminalRestore.wantsSuspension = 1 }
    }
  }

  private enum Key {
    static let controlC: UInt8 = 3
    static let controlZ: UInt8 = 26
    static let controlBackslash: UInt8 = 28
    static let escape: UInt8 = 27
  }

  private static func quits(_ key: UInt8) -> Bool {
    key == UInt8(ascii: "q") || key == UInt8(ascii: "Q") || key == Key.controlC
      || key == Key.controlBackslash
  }

  /// A frame as one write. The update is synchronised, so that a terminal that knows how shows it
  /// whole; each row is as wide as the screen and needs no clearing until the size changes.
  private static func frame(_ lines: [String], clears: Bool) -> String {
    var text = "\u{1B}[?2026h" + (clears ? "\u{1B}[0m\u{1B}[2J" : "")
    for (index, line) in lines.enumerated() { text += "\u{1B}[\(index + 1);1H\(line)" }
    return text + "\u{1B}[?2026l"
  }

  /// Waits for keys until an instant; ends early for a key or a signal.
  /// - Returns: The bytes; nil where the terminal hung up: nobody will ever press a key or see a frame.
  private func readKeys(until due: UInt64) -> [UInt8]? {
    let now = Self.now()
    let milliseconds = due > now ? Int32(clamping: (due - now) / 1_000_000) : 0
    var entry = pollfd(fd: keys, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(keys, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && errno == EINTR ? [] : nil }
    return Array(bytes[..<count])
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The terminal's size now. A serial console knows none: then the environment's, or 80 by 24.
  private static var size: CompassScreen.Size {
    var window = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0
    func environment(_ name: String) -> Int? {
      getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
    }
    let columns = isKnown && window.ws_col > 0 ? Int(window.ws_col) : nil
    let rows = isKnown && window.ws_row > 0 ? Int(window.ws_row) : nil
    // A wall of screens is drawn in its corner rather than in megabytes.
    return CompassScreen.Size(
      columns: min(500, columns ?? environment("COLUMNS") ?? 80),
      rows: min(300, rows ?? environment("LINES") ?? 24))
  }

  /// The width of the terminal that standard output is; nil where it is a pipe or a file.
  public static var outputWidth: Int? { isatty(STDOUT_FILENO) == 1 ? size.columns : nil }

  /// Seconds of the monotonic clock, for the age of what is shown.
  package static var monotonicSeconds: Double { Double(now()) * 1e-9 }
}
