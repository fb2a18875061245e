internal import CoreFoundation
internal import LinuxIO

/// Runs closures on one run loop, in the order in which they were scheduled.
///
/// It is a source of the run loop. A run loop that runs inside one of the closures runs those
/// behind it, as Core Location does on Apple's platforms.
package final class RunLoopCalls: Sendable {
  private let calls = WaitingCalls()
  private let source: RunLoopSource

  /// Adds the source to the run loop, in its common modes.
  package init(loop: RunLoopSource.Loop) {
    let calls = self.calls
    source = RunLoopSource(loop) { calls.run() }
  }

  /// Schedules a closure and wakes the run loop. It does not keep this object, with which it ends:
  /// a thread may never run its loop.
  func schedule(_ call: @escaping @Sendable () -> Void) {
    calls.append(call)
    source.signal()
  }

  /// Runs the closures that wait now, on the calling thread.
  func runWaiting() { calls.run() }
}

/// The closures that wait for a run loop.
private final class WaitingCalls: Sendable {
  private let waiting = Locked<[@Sendable () -> Void]>([])

  func append(_ call: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(call) } }

  /// Runs as many closures as wait now. Later ones wait for the next turn of the loop, so that they
  /// do not occupy it.
  func run() {
    for _ in 0..<waiting.withLock({ $0.count }) {
      // One at a time: a run loop inside a closure may have run the next ones.
      guard let call = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
      call()
    }
  }
}

/// A source of a run loop that runs a closure when it is signalled. It is removed from the loop with
/// its last reference.
package final class RunLoopSource: @unchecked Sendable {
  // Unchecked: Core Foundation's run loops and their sources may be used from any thread.
  private let loop: CFRunLoop?
  private let source: CFRunLoopSource?

  /// A run loop, by its thread.
  package enum Loop: Sendable {
    /// That of the main thread.
    case main
    /// That of the calling thread.
    case ofThisThread
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Adds the source in the common modes of the run loop.
  init(_ loop: Loop, _ run: @escaping @Sendable () -> Void) {
    self.loop = loop == .main ? CFRunLoopGetMain() : CFRunLoopGetCurrent()
    var context = CFRunLoopSourceContext()
    // Released by the source, which the loop keeps while it runs the closure.
    context.info = Unmanaged.passRetained(Body(run)).toOpaque()
    context.release = { info in
      if let info { Unmanaged<Body>.fromOpaque(info).release() }
    }
    context.perform = { info in
      if let info { Unmanaged<Body>.fromOpaque(info).takeUnretainedValue().run() }
    }
    source = CFRunLoopSourceCreate(nil, 0, &context)
    CFRunLoopAddSource(self.loop, source, kCFRunLoopCommonModes)
  }

  /// Has the closure run in the next turn of the loop.
  func signal() {
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(loop)
  }

  deinit {
    CFRunLoopSourceInvalidate(source)
    // A loop without another source ends now.
    CFRunLoopWakeUp(loop)
  }
}
