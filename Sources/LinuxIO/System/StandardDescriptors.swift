#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The descriptors 0 to 2 of a program that was started without some of them.
package enum StandardDescriptors {
  /// Opens the closed ones, so that no file gets their numbers and what is written for a person
  /// does not end up in it. Each is opened for the other direction: reading a closed standard input
  /// and writing a closed standard output stay errors.
  package static func open() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = systemOpen("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

// The system call whose name the method above hides.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
