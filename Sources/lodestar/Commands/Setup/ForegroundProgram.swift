import Foundation

/// A program that has the terminal to itself until it ends.
///
/// Foundation's `Process` starts a program in a process group of its own, in the background of the terminal: it is stopped
/// (SIGTTOU) when it sets the terminal's modes.
enum ForegroundProgram {
  /// Runs a program, which is searched for in `PATH`, to its end.
  /// - Returns: Its exit status; 127 where it is not installed, 128 and the signal's number where a signal ended it.
  static func run(_ words: [String]) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var pid: pid_t = 0
    guard let name = words.first else { return 127 }
    let error = withPointers(words) { arguments in
      withPointers(variables) { posix_spawnp(&pid, name, nil, &attributes, arguments, $0) }
    }
    guard error == 0 else { return 127 }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { return 127 } }
    let number = status & 0x7F
    return number == 0 ? status >> 8 & 0xFF : 128 + number
  }

  /// Texts as an array of C that ends with nil.
  private static func withPointers(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
