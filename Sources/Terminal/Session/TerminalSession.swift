import Quantities

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal during drawing: alternate screen, no cursor, keys without echo. All of it is
/// restored at any end of the session.
public struct TerminalSession: ~Copyable {
  /// True if standard output is a terminal.
  public static var isInteractive: Bool { StandardStream.output.isTerminal }

  /// Frames a second: smooth for a compass at a few kilobytes a second over ssh.
  public static let standardFrameRate = 10.0

  private let keys: Int32
  private let opensKeys: Bool

  /// Sets the terminal's modes.
  /// - Throws: `TerminalError` if standard output is not a terminal or rejects its modes.
  public init() throws(TerminalError) {
    (keys, opensKeys) = try Self.enterScreen()
  }

  private static func enterScreen() throws(TerminalError) -> (keys: Int32, opensKeys: Bool) {
    guard isInteractive else { throw .notATerminal }
    // Standard input may be a file or a pipe; keys are read from the terminal.
    let isInputTerminal = StandardStream.input.isTerminal
    let keys = isInputTerminal ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
    do throws(TerminalError) {
      try TerminalRestore.enter(input: keys, output: STDOUT_FILENO)
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

  /// How keys are processed.
  public enum KeyHandling: Sendable {
    /// `q` and Ctrl-C end the session; the sequence of an arrow or function key is ignored.
    case quits
    /// All bytes are passed to the drawing, sequences and Ctrl-C too; Ctrl-Z also suspends.
    case passesAll
  }

  /// Draws frames until a key or the drawing ends the session, or the terminal hangs up.
  /// - Parameters:
  ///   - frameRate: Frames a second.
  ///   - handling: How keys are processed.
  ///   - draw: Returns a frame for a size and the keys since the last frame; nil ends the session.
  /// - Throws: `TerminalError.writeFailed` if the terminal is closed.
  public mutating func run(
    frameRate: Double = TerminalSession.standardFrameRate, handling: KeyHandling = .quits,
    draw: (CompassScreen.Size, [UInt8]) -> [String]?
  ) throws(TerminalError) {
    let period = UInt64(bounded: 1e9 / min(60, max(0.1, frameRate)))
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
      // A handler restored the terminal and the process continues: do not draw any more.
      guard TerminalRestore.isTaken != 0 else { return }
      let size = Self.size
      guard let lines = draw(size, pressed) else { return }
      try TerminalRestore.write(Self.frame(lines, clears: size != lastSize))
      lastSize = size
      due = max(due + period, Self.now())
      guard let bytes = readKeys(until: due) else { return }
      // The sequence of an arrow or function key may contain letters that are not keys.
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

  /// A frame as one write. The update is synchronised, so a terminal that supports it shows the
  /// frame at once. Each row is as wide as the screen and is cleared only after a size change.
  private static func frame(_ lines: [String], clears: Bool) -> String {
    var text = "\u{1B}[?2026h" + (clears ? "\u{1B}[0m\u{1B}[2J" : "")
    for (index, line) in lines.enumerated() { text += "\u{1B}[\(index + 1);1H\(line)" }
    return text + "\u{1B}[?2026l"
  }

  /// Waits for keys until a time; ends early for a key or a signal.
  /// - Returns: The bytes; nil if the terminal hung up.
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

  /// The time in which a terminal answers, ms; a slow line's answer is ignored as a key sequence.
  private static var answerTime: UInt64 { 250 }

  /// The background that the terminal states: asked for, else by COLORFGBG; nil where neither says.
  public borrowing func background() -> TerminalBackground? {
    let stated = TerminalCapability.current.background
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    guard keys >= 0, TerminalBackground.isAskable(terminal: terminal) else { return stated }
    // Every terminal answers the second question, so that one that does not know the first costs no
    // time.
    // - Source: xterm control sequences, OSC 11 and DA1.
    do { try TerminalRestore.write("\u{1B}]11;?\u{1B}\\\u{1B}[c") } catch { return stated }
    let end = Self.now() + Self.answerTime * 1_000_000
    var answer: [UInt8] = []
    while Self.now() < end, answer.count < 256, let bytes = readKeys(until: end) {
      answer += bytes
      if Self.hasAttributes(answer) { break }
    }
    return TerminalBackground(answer: answer) ?? stated
  }

  /// Whether bytes contain the answer to DA1: `ESC [ ? … c`.
  private static func hasAttributes(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let begin = text.firstRange(of: "\u{1B}[?") else { return false }
    return text[begin.upperBound...].first { !$0.isNumber && $0 != ";" } == "c"
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The terminal's current size. A serial console has none: then the environment's, or 80 by 24.
  private static var size: CompassScreen.Size {
    var window = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0
    func environment(_ name: String) -> Int? {
      getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
    }
    let columns = isKnown && window.ws_col > 0 ? Int(window.ws_col) : nil
    let rows = isKnown && window.ws_row > 0 ? Int(window.ws_row) : nil
    // A very large terminal is drawn in its corner only, to limit the output.
    return CompassScreen.Size(
      columns: min(500, columns ?? environment("COLUMNS") ?? 80),
      rows: min(300, rows ?? environment("LINES") ?? 24))
  }

  /// The width of the terminal on standard output; nil for a pipe or a file.
  public static var outputWidth: Int? { isInteractive ? size.columns : nil }

  /// Seconds of the monotonic clock, for the age of shown values.
  package static var monotonicSeconds: Double { Double(now()) * 1e-9 }
}
