import CoreLocation
import LinuxIO
import ScriptedSource
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct DeliveryContextTests {
  /// The output of the probe, which runs in a separate process.
  private func probe(_ place: String) async throws -> [String] {
    // The probe is built next to the test bundle.
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = ChildProcess()
    process.executableURL = bundle.appendingPathComponent("DeliveryProbe")
    process.arguments = [place]
    let output = Pipe()
    process.standardOutput = output
    try process.start()
    let text = try #require(
      String(data: output.fileHandleForReading.readDataToEndOfFile(), encoding: .utf8))
    process.waitOrKill()
    return text.split(separator: "\n").map(String.init)
  }

  @Test(
    "under a main run loop the delegate is called on the main thread, never inside a start")
  func mainRunLoop() async throws {
    #expect(try await probe("runloop") == ["reentrant: false", "main: true", "same: true"])
  }

  @Test("under dispatchMain, which runs no run loop, the delegate is called too")
  func dispatchMain() async throws {
    #expect(try await probe("dispatch").first == "reentrant: false")
  }

  @Test("a manager made on the main queue, off the main thread, is called on the main queue")
  func mainQueue() async throws {
    #expect(try await probe("queue").first == "reentrant: false")
  }

  @Test("a manager made on the main actor is called on the main actor's queue")
  func mainActor() async throws {
    #expect(try await probe("actor").first == "reentrant: false")
  }

  @Test("a manager made on a thread is called on that thread's run loop")
  func thread() async throws {
    #expect(try await probe("thread") == ["reentrant: false", "main: false", "same: true"])
  }

  @Test("a manager made in a task off the main actor is called on the main queue")
  func task() async throws {
    let lines = try await probe("task")
    #expect(lines.count == 3)
    #expect(lines.last == "same: false")
  }

  @Test(
    "a run loop inside the delegate's call delivers the next event",
    arguments: ["nested", "nested-queue", "nested-thread"])
  func nested(place: String) async throws {
    #expect(try await probe(place) == ["inside: [90.0, 180.0]"])
  }

  @Test("a job of the main actor that waits in the run loop receives its events")
  func waitingJob() async throws {
    #expect(try await probe("job") == ["reentrant: false", "main: true", "same: true"])
    // Under an asynchronous main, or dispatchMain, another thread runs the jobs.
    #expect(try await probe("async-job") == ["reentrant: false", "main: false", "same: true"])
  }

  @Test("a job of the main actor that waits in the run loop receives a geocoder's answer")
  func waitingGeocoder() async throws {
    #expect(try await probe("geocoder") == ["main: true DE"])
  }

  @Test("the source on a thread's run loop ends with the manager")
  func sourceEnds() async throws {
    let loopHasEnded = Locked(false)
    Thread {
      let bench = Bench()
      do {
        let (manager, recorder) = bench.manager()
        manager.startUpdatingHeading()
        bench.waitUntilIdle()
        bench.publisher.send(.heading(5))
        let deadline = Date(timeIntervalSinceNow: 5)
        while recorder.headings.isEmpty, Date() < deadline {
          RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
        }
      }
      // Returns once the loop has no source left.
      RunLoop.current.run()
      loopHasEnded.withLock { $0 = true }
    }.start()
    #expect(try await eventually { loopHasEnded.withLock { $0 } })
  }
}
