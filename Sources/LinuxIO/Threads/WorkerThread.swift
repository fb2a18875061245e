import CLinuxIO
import Glibc

/// Threads of this process, in place of Foundation's `Thread`: the program needs no other part of
/// that library.
package enum WorkerThread {
  /// A thread as long as it runs.
  package struct Identity: Hashable, Sendable {
    private let handle: pthread_t

    /// The calling thread.
    package static var current: Identity { Identity(handle: pthread_self()) }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a detached thread.
  ///
  /// Ends the process where the kernel makes no more threads: without one of its threads a daemon
  /// would wait for ever, and the service manager starts it again.
  /// - Parameters:
  ///   - name: What `ps` and debuggers show; cut after 15 bytes.
  ///   - body: What it does.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    let result = linuxbus_start_thread(
      name,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
      }, work.toOpaque())
    guard result == 0 else {
      fatalError("cannot start the thread \(name): \(String(cString: strerror(-result)))")
    }
  }
}
